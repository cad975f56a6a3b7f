// A field with two conflicting values, as shown to people.

/// A field with two conflicting values, as shown to people.
struct FieldConflict: Sendable {
    var name: String
    var label: String
    var mine: String
    var theirs: String
    /// The address of the other person's picture.
    var theirPicture: String?
}
