// The effect of a deletion before it is made. Created by StagedEdits.

/// The objects that a deletion takes along or changes.
public struct DeletionForecast: Codable, Sendable {
    /// Objects of one entity.
    public struct Group: Codable, Sendable {
        /// The entity.
        public var entity: String
        /// The number of objects.
        public var count: Int
        /// The first objects.
        public var examples: [ObjectLink]
        /// The relationships whose rule is the cause, such as `Owner.pets`.
        public var causes: [String]
    }

    /// The objects that were named.
    public var objects: [ObjectLink]
    /// The objects that cascades delete.
    public var deleted: [Group]
    /// The objects that lose a reference.
    public var nullified: [Group]
    /// The rules that deny the deletion.
    public var denials: [StagedProblem]
}
