// Expressions from formats. As with predicates, an initializer of a protocol extension may return a subclass, which
// `FETCH` requires. Called by apps.

import Foundation

/// Adds initializers from formats to NSExpression; no other type conforms.
public protocol ExpressionMaking {}

extension NSExpression: ExpressionMaking {}

extension ExpressionMaking where Self: NSExpression {
    /// Makes an expression from a format.
    ///
    /// Traps with a message if the format is invalid; use `init(validating:_:)` for untrusted input.
    ///
    /// - Parameters:
    ///   - format: The text, such as `"price * quantity"`.
    ///   - arguments: The values for `%@`, `%K` and the number specifiers.
    public init(format: String, _ arguments: CVarArg...) {
        self.init(format: format, argumentArray: arguments)
    }

    /// Makes an expression from a format and a list of arguments; NSNull stands for nil.
    ///
    /// Traps with a message if the format is invalid.
    public init(format: String, argumentArray: [Any]) {
        do {
            try self.init(validating: format, argumentArray: argumentArray)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Makes an expression from a format, or throws if the format is invalid.
    ///
    /// - Throws: `PredicateFormatError`.
    public init(validating format: String, _ arguments: CVarArg...) throws {
        try self.init(validating: format, argumentArray: arguments)
    }

    /// Makes an expression from a format and a list of arguments, or throws if the format is invalid.
    ///
    /// - Throws: `PredicateFormatError`.
    public init(validating format: String, argumentArray: [Any]) throws {
        try PredicateParser.requireBounded(format)
        let node = try PredicateParser.parseExpression(format: format, arguments: argumentArray)
        guard let expression = NSExpression.make(node) as? Self else {
            throw PredicateFormatError(
                message:
                    "The format does not give an expression of the class \(Self.self). Make an NSExpression of it.",
                position: 0,
                format: format
            )
        }
        self = expression
    }
}

extension NSExpression {
    /// The object for a tree.
    package static func make(_ node: ExpressionNode) -> NSExpression {
        if case .fetch(let request, let context, let countOnly) = node {
            return NSFetchRequestExpression(request, context, countOnly)
        }
        return NSExpression(node: node)
    }
}
