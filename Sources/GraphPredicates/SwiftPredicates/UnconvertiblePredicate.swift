// The reason why a Swift predicate could not be converted to a tree. Thrown by the conversion; stored in the predicate
// object, so that a fetch can report it.

/// A form of Swift's `#Predicate` that the predicate language, and thus SQL, lacks.
public struct UnconvertiblePredicate: Error, Hashable, Sendable, CustomStringConvertible {
    /// Foundation's name of the form: `SequenceMinimum`, `TypeCheck`, or the key path that has no name.
    public let form: String
    /// The suggested replacement.
    public let alternative: String
    /// The text that a message about the error quotes.
    package let subject: String

    package init(form: String, alternative: String, subject: String = "#Predicate") {
        self.form = form
        self.alternative = alternative
        self.subject = subject
    }

    /// The form and the alternative in one sentence each.
    public var description: String { "\(form) has no form in SQL. \(alternative)" }
}
