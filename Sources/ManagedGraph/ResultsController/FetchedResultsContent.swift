/// The results of a controller as values: the names of the sections and the object IDs in each.
///
/// Maintained by a consumer of `NSFetchedResultsController.differences`, on any task.
public struct FetchedResultsContent: Hashable, Sendable {
    /// One section.
    public struct Section: Hashable, Sendable {
        /// The section's name; empty for the only section of a controller without a section name key path.
        public var name: String
        /// The IDs of its objects in order.
        public var objectIDs: [NSManagedObjectID]
    }

    /// The sections in order.
    public internal(set) var sections: [Section] = []

    /// Creates an empty content, to which the first difference of a sequence applies.
    public init() {}

    /// The IDs of all objects in order.
    ///
    /// O(n).
    public var objectIDs: [NSManagedObjectID] { sections.flatMap(\.objectIDs) }

    /// Applies a difference.
    ///
    /// Stops the program if the difference does not match the content. O(n) in the sections that change.
    ///
    /// - Parameter difference: The next difference of the sequence.
    public mutating func apply(_ difference: FetchedResultsDifference) {
        let leaving =
            difference.deletions.map { (id: $0.objectID, path: $0.indexPath) }
            + difference.moves.map { (id: $0.objectID, path: $0.from) }
        for (id, path) in leaving.sorted(by: { $0.path > $1.path }) {
            let removed = sections[path[0]].objectIDs.remove(at: path[1])
            precondition(removed == id, "The difference does not belong to this content: skip none of a sequence.")
        }
        for section in difference.deletedSections.sorted(by: { $0.index > $1.index }) {
            let removed = sections.remove(at: section.index)
            precondition(
                removed.name == section.name && removed.objectIDs.isEmpty,
                "The difference does not belong to this content: skip none of a sequence."
            )
        }
        for section in difference.insertedSections.sorted(by: { $0.index < $1.index }) {
            sections.insert(Section(name: section.name, objectIDs: []), at: section.index)
        }
        let coming =
            difference.insertions.map { (id: $0.objectID, path: $0.indexPath) }
            + difference.moves.map { (id: $0.objectID, path: $0.to) }
        for (id, path) in coming.sorted(by: { $0.path < $1.path }) {
            sections[path[0]].objectIDs.insert(id, at: path[1])
        }
    }
}
