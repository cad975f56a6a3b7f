// Apple's initializers of NSPredicate. Foundation marks them unavailable outside Apple's platforms, but overload
// resolution prefers an available one of a protocol extension, and it may return a subclass. Called by apps.

import Foundation

/// Adds the initializers that Foundation lacks to NSPredicate; no other type conforms.
public protocol PredicateMaking {}

extension NSPredicate: PredicateMaking {}

extension PredicateMaking where Self: NSPredicate {
    /// Makes a predicate without a condition: the initial value of a variable, to which another is assigned.
    ///
    /// It holds for no object, which is logged once, and a fetch with it fails; Apple's raises an exception in both
    /// cases. `init(value:)` makes one that holds for all objects.
    public init() {
        self = Self.trapping { NSPredicate.make(.block(NSPredicate.emptyBlock())) }
    }

    /// Makes a predicate from a format, in the language of Apple's "Predicate Format String Syntax".
    ///
    /// An invalid format is a programming error and traps with a message; use `init(validating:_:)` for untrusted
    /// input.
    ///
    /// - Parameters:
    ///   - format: The text, such as `"name BEGINSWITH[c] %@ AND priority > %d"`.
    ///   - arguments: The values for `%@`, `%K` and the number specifiers.
    public init(format: String, _ arguments: CVarArg...) {
        self = Self.trapping { try NSPredicate.parse(format, arguments.map { $0 }) }
    }

    /// Makes a predicate from a format and a list of arguments.
    ///
    /// - Parameters:
    ///   - format: The text; an invalid one traps.
    ///   - argumentArray: The values for `%@`, `%K` and the number specifiers; NSNull stands for nil.
    public init(format: String, argumentArray: [Any]?) {
        self = Self.trapping { try NSPredicate.parse(format, (argumentArray ?? []).map { $0 }) }
    }

    /// Makes a predicate from a format, or throws if the format is invalid.
    ///
    /// - Parameters:
    ///   - format: The text, for example user input; at most 512 KB.
    ///   - arguments: The values for `%@`, `%K` and the number specifiers.
    /// - Throws: `PredicateFormatError`.
    public init(validating format: String, _ arguments: CVarArg...) throws {
        try PredicateParser.requireBounded(format)
        self = try Self.cast(NSPredicate.parse(format, arguments.map { $0 }), format)
    }

    /// Makes a predicate from a format and a list of arguments, or throws if the format is invalid.
    ///
    /// - Throws: `PredicateFormatError`.
    public init(validating format: String, argumentArray: [Any]?) throws {
        try PredicateParser.requireBounded(format)
        self = try Self.cast(NSPredicate.parse(format, (argumentArray ?? []).map { $0 }), format)
    }

    /// Replaces the `$` variables of the predicate by values.
    ///
    /// - Parameter variables: The values by name, without `$`; NSNull stands for nil. Variables not in it remain.
    /// - Returns: A predicate with constants in place of the variables.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let predicate = NSPredicate.make(node.substituting(variables))
        guard let result = predicate as? Self else {
            fatalError(
                "A \(Self.self) cannot hold the predicate \"\(predicate.printedFormat)\". Call it on an NSPredicate."
            )
        }
        return result
    }

    private static func trapping(_ make: () throws -> NSPredicate) -> Self {
        do {
            let predicate = try make()
            return try cast(predicate, predicate.printedFormat)
        } catch {
            fatalError("\(error)")
        }
    }

    private static func cast(_ predicate: NSPredicate, _ format: @autoclosure () -> String) throws -> Self {
        if let result = predicate as? Self { return result }
        if let wrapped = FormatCompoundPredicate(.and([predicate.node])) as? Self { return wrapped }
        throw PredicateFormatError(
            message: "The format does not give a predicate of the class \(Self.self). Make an NSPredicate of it.",
            position: 0,
            format: format()
        )
    }
}

extension NSPredicate {
    /// The condition of a predicate that was made without one.
    fileprivate static func emptyBlock() -> PredicateBlock {
        let refusal = UnconvertiblePredicate(
            form: "A predicate without a condition",
            alternative: "Use NSPredicate(value: true) for all objects, or no predicate.",
            subject: "NSPredicate()"
        )
        return PredicateBlock(refusal: refusal) { _, _ in
            EvaluationLog.report(
                "NSPredicate() has no condition and holds for nothing. Use NSPredicate(value: true) for all objects."
            )
            return false
        }
    }

    fileprivate static func parse(_ format: String, _ arguments: [Any?]) throws -> NSPredicate {
        make(try PredicateParser.parse(format: format, arguments: arguments))
    }
}
