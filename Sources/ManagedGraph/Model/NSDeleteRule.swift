/// The effect of deleting the source of a relationship on its destination; the raw values are Apple's.
public enum NSDeleteRule: UInt, Sendable {
    /// The destination is left as it is.
    case noActionDeleteRule = 0
    /// The destination's inverse is emptied.
    case nullifyDeleteRule = 1
    /// The destination is deleted too.
    case cascadeDeleteRule = 2
    /// The source cannot be deleted while it has a destination.
    case denyDeleteRule = 3
}
