// One change of a controller's results as a value that any task may hold. Made by ResultsTracker; merged where a consumer
// is slow (FetchedResultsDifference+Merging.swift); applied by consumers to a FetchedResultsContent.
import Foundation

/// How the results of a controller have changed: sections and object IDs that went, came, moved or changed.
///
/// Paths named `from`, and those of deletions, are counted before the change; paths named `to`, and those of insertions,
/// after it. Whoever applies one takes out what is deleted or moved, then deleted sections, then puts in inserted
/// sections, then what is inserted or moved, in ascending order; `FetchedResultsContent.apply(_:)` does that.
public struct FetchedResultsDifference: Hashable, Sendable {
    /// A section that has come or gone.
    public struct Section: Hashable, Sendable {
        /// The section's name.
        public var name: String
        /// Its index: before the change for a deletion, after it for an insertion.
        public var index: Int
    }

    /// An object that has come or gone.
    public struct Item: Hashable, Sendable {
        /// The object's ID.
        public var objectID: NSManagedObjectID
        /// Its section and row: before the change for a deletion, after it for an insertion.
        public var indexPath: IndexPath
    }

    /// An object that has moved, or changed without moving.
    public struct Move: Hashable, Sendable {
        /// The object's ID.
        public var objectID: NSManagedObjectID
        /// Where it was before the change.
        public var from: IndexPath
        /// Where it is after the change.
        public var to: IndexPath
    }

    /// Sections that have gone; all of their objects are among the deletions and moves.
    public internal(set) var deletedSections: [Section] = []
    /// Sections that have come.
    public internal(set) var insertedSections: [Section] = []
    /// Objects that have gone, and temporary IDs that a save has replaced.
    public internal(set) var deletions: [Item] = []
    /// Objects that have come, and permanent IDs in the place of temporary ones.
    public internal(set) var insertions: [Item] = []
    /// Objects that have changed in a value they are sorted by, or in their section.
    public internal(set) var moves: [Move] = []
    /// Objects that have changed in other values; they keep their order among those that stay.
    public internal(set) var updates: [Move] = []

    /// Whether nothing has changed.
    public var isEmpty: Bool { count == 0 }

    /// The number of changes: what a difference takes of memory, and of time to apply.
    public var count: Int {
        deletedSections.count + insertedSections.count + deletions.count + insertions.count + moves.count
            + updates.count
    }

    init() {}

    /// What has happened to a list.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - renamed: Objects that stay where they are, but under another ID.
    ///   - id: An object's ID as it was or is delivered.
    init(
        _ changes: ListChanges<NSManagedObject>,
        renamed: [RenamedObject],
        id: (NSManagedObject) -> NSManagedObjectID
    ) {
        deletedSections = changes.deletedSections.map { Section(name: $0.section.name, index: $0.index) }
        insertedSections = changes.insertedSections.map { Section(name: $0.section.name, index: $0.index) }
        deletions = changes.deleted.map { Item(objectID: id($0.object), indexPath: IndexPath($0.from)) }
        insertions = changes.inserted.map { Item(objectID: id($0.object), indexPath: IndexPath($0.to)) }
        let others = Set(renamed.map { ObjectIdentifier($0.object) })
        for (object, from, to) in changes.moved where !others.contains(ObjectIdentifier(object)) {
            moves.append(Move(objectID: id(object), from: IndexPath(from), to: IndexPath(to)))
        }
        for (object, from, to) in changes.updated where !others.contains(ObjectIdentifier(object)) {
            updates.append(Move(objectID: id(object), from: IndexPath(from), to: IndexPath(to)))
        }
        for change in renamed {
            deletions.append(Item(objectID: change.oldID, indexPath: IndexPath(change.from)))
            insertions.append(Item(objectID: change.newID, indexPath: IndexPath(change.to)))
        }
    }

    /// How one content becomes another.
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

/// An object that was delivered under a temporary ID and has a permanent one now.
struct RenamedObject {
    let object: NSManagedObject
    let oldID: NSManagedObjectID
    let newID: NSManagedObjectID
    /// Where it was before the batch, and where it is after it.
    var from: ListPosition
    var to: ListPosition
}
