// Why a Swift predicate did not become a tree. Thrown by the conversion; kept by the predicate object, so that a fetch
// can say it.

/// A form of Swift's `#Predicate` that the predicate language, and so SQL, does not have.
public struct UnconvertiblePredicate: Error, Hashable, Sendable, CustomStringConvertible {
    /// The form, as Foundation calls it: `SequenceMinimum`, `TypeCheck`, or the key path that has no name.
    public let form: String
    /// What to write instead.
    public let alternative: String
    /// What a message about it quotes.
    package let subject: String

    package init(form: String, alternative: String, subject: String = "#Predicate") {
        self.form = form
        self.alternative = alternative
        self.subject = subject
    }

    /// The form and the alternative in one sentence each.
    public var description: String { "\(form) has no form in SQL. \(alternative)" }
}
