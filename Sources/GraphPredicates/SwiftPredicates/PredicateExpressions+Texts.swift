// Three forms of #Predicate that Foundation has on Apple's systems only: `localizedStandardContains`,
// `caseInsensitiveCompare` and `localizedCompare`. The macro expands to calls of these `build_` functions.

import Foundation

extension PredicateExpressions {
    /// Whether a text contains another, ignoring case and diacritics.
    public struct StringLocalizedStandardContains<Root, Other>: PredicateExpression
    where
        Root: PredicateExpression, Other: PredicateExpression, Root.Output: StringProtocol,
        Other.Output: StringProtocol
    {
        /// The result of the test.
        public typealias Output = Bool

        /// The text.
        public let root: Root
        /// The text to search for.
        public let other: Other

        /// Makes the test.
        ///
        /// - Parameters:
        ///   - root: The text.
        ///   - other: The text to search for.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Whether the text contains the other one.
        ///
        /// - Parameter bindings: The values of the predicate's variables.
        /// - Returns: The answer; false for an empty text. O(n).
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
            let text = TextFolding.fold(String(try root.evaluate(bindings)), options)
            return TextOrder.contains(text, TextFolding.fold(String(try other.evaluate(bindings)), options))
        }
    }

    /// The order of two texts, ignoring case.
    public struct StringCaseInsensitiveCompare<Root, Other>: PredicateExpression
    where
        Root: PredicateExpression, Other: PredicateExpression, Root.Output: StringProtocol,
        Other.Output: StringProtocol
    {
        /// The order.
        public typealias Output = ComparisonResult

        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Makes the comparison.
        ///
        /// - Parameters:
        ///   - root: The first text.
        ///   - other: The second text.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the texts.
        ///
        /// - Parameter bindings: The values of the predicate's variables.
        /// - Returns: The order. O(n).
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            let left = TextFolding.fold(String(try root.evaluate(bindings)), .caseInsensitive)
            return TextOrder.compare(
                left,
                TextFolding.fold(String(try other.evaluate(bindings)), .caseInsensitive)
            )
        }
    }

    /// The order of two texts in the user's language.
    public struct StringLocalizedCompare<Root, Other>: PredicateExpression
    where
        Root: PredicateExpression, Other: PredicateExpression, Root.Output: StringProtocol,
        Other.Output: StringProtocol
    {
        /// The order.
        public typealias Output = ComparisonResult

        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Makes the comparison.
        ///
        /// - Parameters:
        ///   - root: The first text.
        ///   - other: The second text.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the texts.
        ///
        /// - Parameter bindings: The values of the predicate's variables.
        /// - Returns: The order. O(n).
        /// - Throws: The errors of the parts.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            let (left, right) = (String(try root.evaluate(bindings)), String(try other.evaluate(bindings)))
            return TextSort.compare(left, right, .localized)
        }
    }

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

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
