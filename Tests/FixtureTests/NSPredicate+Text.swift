// Reads the format of predicates. Called by the tests of models and archives.
import Foundation
import GraphPredicates

extension NSPredicate {
    /// The format, without Foundation's deprecation warning.
    var formatText: String { (self as any FormatReading).predicateFormat }
}

private protocol FormatReading {
    var predicateFormat: String { get }
}

extension NSPredicate: FormatReading {}
