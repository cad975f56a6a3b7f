// A change of a controller's results as a Sendable value. Created by ResultsTracker, merged for slow consumers
// (FetchedResultsDifference+Merging.swift), and applied to a FetchedResultsContent.
import Foundation

/// The changes of a controller's results: sections and object IDs that were deleted, inserted, moved or updated.
///
/// Paths named `from` and paths of deletions refer to the state before the change; paths named `to` and paths of
/// insertions to the state after it. To apply a difference, remove deleted and moved items, then deleted sections; then
/// insert sections, then inserted and moved items, in ascending order. `FetchedResultsContent.apply(_:)` does that.
public struct FetchedResultsDifference: Hashable, Sendable {
    /// A section that was inserted or deleted.
    public struct Section: Hashable, Sendable {
        /// The section's name.
        public var name: String
        /// Its index: before the change for a deletion, after it for an insertion.
        public var index: Int
    }

    /// An object that was inserted or deleted.
    public struct Item: Hashable, Sendable {
        /// The object's ID.
        public var objectID: NSManagedObjectID
        /// Its section and row: before the change for a deletion, after it for an insertion.
        public var indexPath: IndexPath
    }

    /// An object that was moved or updated.
    public struct Move: Hashable, Sendable {
        /// The object's ID.
        public var objectID: NSManagedObjectID
        /// Its index path before the change.
        public var from: IndexPath
        /// Its index path after the change.
        public var to: IndexPath
    }

    /// Deleted sections; all of their objects are among the deletions and moves.
    public internal(set) var deletedSections: [Section] = []
    /// Inserted sections.
    public internal(set) var insertedSections: [Section] = []
    /// Deleted objects, and temporary IDs that a save has replaced.
    public internal(set) var deletions: [Item] = []
    /// Inserted objects, and permanent IDs that replace temporary ones.
    public internal(set) var insertions: [Item] = []
    /// Objects with a change of a value they are sorted by, or of their section.
    public internal(set) var moves: [Move] = []
    /// Objects with changes of other values; they keep their relative order.
    public internal(set) var updates: [Move] = []

    /// Whether there are no changes.
    public var isEmpty: Bool { count == 0 }

    /// The number of changes; memory and the time to apply the difference are proportional to it.
    public var count: Int {
        deletedSections.count + insertedSections.count + deletions.count + insertions.count + moves.count
            + updates.count
    }

    init() {}

    /// Creates the difference for the changes of a list.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - renamed: Objects that keep their place but have a new ID.
    ///   - id: Returns the ID under which an object was or is delivered.
    init(
        _ changes: ListChanges,
        renamed: [RenamedObject],
        id: (NSManagedObject) -> NSManagedObjectID
    ) {
        deletedSections = changes.deletedSections.map { Section(name: $0.section.name, index: $0.index) }
        insertedSections = changes.insertedSections.map { Section(name: $0.section.name, index: $0.index) }
        deletions = changes.deleted.map { Item(objectID: id($0.object), indexPath: IndexPath($0.from)) }
        insertions = changes.inserted.map { Item(objectID: id($0.object), indexPath: IndexPath($0.to)) }
        let renamedObjects = Set(renamed.map { ObjectIdentifier($0.object) })
        for (object, from, to) in changes.moved where !renamedObjects.contains(ObjectIdentifier(object)) {
            moves.append(Move(objectID: id(object), from: IndexPath(from), to: IndexPath(to)))
        }
        for (object, from, to) in changes.updated where !renamedObjects.contains(ObjectIdentifier(object)) {
            updates.append(Move(objectID: id(object), from: IndexPath(from), to: IndexPath(to)))
        }
        for change in renamed {
            deletions.append(Item(objectID: change.oldID, indexPath: IndexPath(change.from)))
            insertions.append(Item(objectID: change.newID, indexPath: IndexPath(change.to)))
        }
    }

    /// Creates the difference between two contents.
    ///
    /// O(n log n).
    init(from old: FetchedResultsContent, to new: FetchedResultsContent) {
        let comparison = ListComparison<NSManagedObjectID>(
            from: old.sections.map { ($0.name, $0.objectIDs) },
            to: new.sections.map { ($0.name, $0.objectIDs) }
        )
        deletedSections = comparison.deletedSections.map { Section(name: $0.name, index: $0.index) }
        insertedSections = comparison.insertedSections.map { Section(name: $0.name, index: $0.index) }
        deletions = comparison.deleted.map { Item(objectID: $0.element, indexPath: IndexPath($0.from)) }
        insertions = comparison.inserted.map { Item(objectID: $0.element, indexPath: IndexPath($0.to)) }
        moves = comparison.moved.map { Move(objectID: $0.element, from: IndexPath($0.from), to: IndexPath($0.to)) }
    }
}
