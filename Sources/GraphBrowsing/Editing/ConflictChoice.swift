// The decision of a reader about one value of a conflict. Sent by a page; applied by StagedEdits.

/// A decision about a conflict.
public struct ConflictChoice: Codable, Sendable {
    /// The value that is kept.
    public enum Side: String, Codable, Sendable {
        /// The reader's.
        case mine
        /// The other writer's.
        case theirs
    }

    /// The object.
    public var object: String
    /// The property; nil for the whole object, as after a deletion.
    public var property: String?
    /// The value that is kept.
    public var side: Side

    /// Creates a decision.
    public init(object: String, property: String? = nil, side: Side) {
        (self.object, self.property, self.side) = (object, property, side)
    }
}
