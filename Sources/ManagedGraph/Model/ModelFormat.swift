// The one place where formats in a model become predicates and expressions. Called by the builders; throws, so that a
// bad format in a file is an error with its place and never stops the program.
import Foundation
import GraphPredicates

/// Converts formats in a model to predicates and expressions, and back.
enum ModelFormat {
    /// A predicate from a model's text.
    static func predicate(_ format: String) throws -> NSPredicate {
        try NSPredicate(validating: format)
    }

    /// An expression from a model's text.
    static func expression(_ format: String) throws -> GraphPredicates.NSExpression {
        try GraphPredicates.NSExpression(validating: format)
    }

    /// A predicate as a model file holds it.
    static func text(_ predicate: NSPredicate) -> String {
        predicate.printedFormat
    }
}
