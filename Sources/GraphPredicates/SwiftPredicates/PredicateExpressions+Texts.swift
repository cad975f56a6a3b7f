// Three forms of #Predicate that Foundation has on Apple's systems only: `localizedStandardContains`,
// `caseInsensitiveCompare` and `localizedCompare`. The macro expands to calls of these `build_` functions.

import Foundation

extension PredicateExpressions {
    /// An operation on two texts.
    public protocol TextOperation {
        /// The type of the result.
        associatedtype Output

        /// The result for two texts.
        ///
        /// - Parameters:
        ///   - text: The first text.
        ///   - other: The second text.
        /// - Returns: The result. O(n).
        static func result(_ text: String, _ other: String) -> Output
    }

    /// The expression of an operation on two texts.
    public struct TextPair<Operation: TextOperation, Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The result of the operation.
        public typealias Output = Operation.Output

        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Makes the expression.
        ///
        /// - Parameters:
        ///   - root: The first text.
        ///   - other: The second text.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The result for an object.
        ///
        /// - Parameter bindings: The values of the predicate's variables.
        /// - Returns: The result. O(n).
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> Operation.Output {
            Operation.result(String(try root.evaluate(bindings)), String(try other.evaluate(bindings)))
        }
    }

    /// The test whether a text contains another, ignoring case and diacritics; false for an empty text.
    public enum LocalizedStandardContains: TextOperation {
        /// Whether the first text contains the second one.
        public static func result(_ text: String, _ other: String) -> Bool {
            let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
            return TextOrder.contains(TextFolding.fold(text, options), TextFolding.fold(other, options))
        }
    }

    /// The order of two texts, ignoring case.
    public enum CaseInsensitiveCompare: TextOperation {
        /// The order of the texts.
        public static func result(_ text: String, _ other: String) -> ComparisonResult {
            TextOrder.compare(TextFolding.fold(text, .caseInsensitive), TextFolding.fold(other, .caseInsensitive))
        }
    }

    /// The order of two texts in the user's language.
    public enum LocalizedCompare: TextOperation {
        /// The order of the texts.
        public static func result(_ text: String, _ other: String) -> ComparisonResult {
            TextSort.compare(text, other, .localized)
        }
    }

    /// Whether a text contains another, ignoring case and diacritics.
    public typealias StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression> =
        TextPair<LocalizedStandardContains, Root, Other>
    where Root.Output: StringProtocol, Other.Output: StringProtocol
    /// The order of two texts, ignoring case.
    public typealias StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression> =
        TextPair<CaseInsensitiveCompare, Root, Other>
    where Root.Output: StringProtocol, Other.Output: StringProtocol
    /// The order of two texts in the user's language.
    public typealias StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression> =
        TextPair<LocalizedCompare, Root, Other>
    where Root.Output: StringProtocol, Other.Output: StringProtocol

    /// The expansion of `text.localizedStandardContains(other)` in `#Predicate`.
    ///
    /// - Parameters:
    ///   - root: The text.
    ///   - other: The text to search for.
    /// - Returns: The test.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// The expansion of `text.caseInsensitiveCompare(other)` in `#Predicate`.
    ///
    /// - Parameters:
    ///   - root: The first text.
    ///   - other: The second text.
    /// - Returns: The comparison.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// The expansion of `text.localizedCompare(other)` in `#Predicate`.
    ///
    /// - Parameters:
    ///   - root: The first text.
    ///   - other: The second text.
    /// - Returns: The comparison.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root,
        _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.TextPair: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.TextPair: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.TextPair: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
