// The reasons for statements. Part of `StoreActivity`.
import Foundation

extension StoreActivity {
    /// The reason for a statement.
    public enum Cause: Sendable, CustomStringConvertible {
        /// A fetch of objects, identifiers or dictionaries. Lists of more than 20 values in the predicate are shortened.
        case fetch(entity: String, predicate: String?)
        /// A count of the objects that a request would fetch.
        case count(entity: String, predicate: String?)
        /// A value was read from a fault; the statement can read rows of other faults too.
        case fault(entity: String, objectID: NSManagedObjectID)
        /// The members of a to-many relationship of an object were read.
        case relationshipFault(entity: String, property: String, objectID: NSManagedObjectID)
        /// A relationship was prefetched for many objects.
        case prefetch(entity: String, property: String)
        /// Objects with unsaved changes were refreshed or merged.
        case refresh(entity: String)
        /// A save of a context, with the numbers of objects.
        case save(inserted: Int, updated: Int, deleted: Int)
        /// New objects received permanent identifiers before a save.
        case permanentIDs(count: Int)
        /// A batch insert request.
        case batchInsert(entity: String)
        /// A batch update request.
        case batchUpdate(entity: String)
        /// A batch delete request.
        case batchDelete(entity: String)
        /// A request of the persistent history.
        case history
        /// The reads of one block of a context share a snapshot, which began or ended.
        case snapshot
        /// A store was added to the coordinator, moved or reopened.
        case opening
        /// A store was migrated to the current model.
        case migration
        /// A call of ``NSPersistentStoreCoordinator/storedRow(for:)``.
        case inspection(NSManagedObjectID)
        /// Any other work of a store.
        case other

        /// The cause in a few words, for example `fault Task/p1`.
        public var description: String {
            switch self {
            case .fetch(let entity, let predicate): "fetch \(Self.text(entity, predicate))"
            case .count(let entity, let predicate): "count \(Self.text(entity, predicate))"
            case .fault(_, let objectID): "fault \(Self.text(objectID))"
            case .relationshipFault(_, let property, let objectID): "relationship \(Self.text(objectID)).\(property)"
            case .prefetch(let entity, let property): "prefetch \(entity).\(property)"
            case .refresh(let entity): "refresh \(entity)"
            case .save(let inserted, let updated, let deleted):
                "save \(inserted) inserted, \(updated) updated, \(deleted) deleted"
            case .permanentIDs(let count): "permanent identifiers of \(count) object\(count == 1 ? "" : "s")"
            case .batchInsert(let entity): "batch insert \(entity)"
            case .batchUpdate(let entity): "batch update \(entity)"
            case .batchDelete(let entity): "batch delete \(entity)"
            case .history: "history"
            case .snapshot: "snapshot"
            case .opening: "opening"
            case .migration: "migration"
            case .inspection(let objectID): "inspection \(Self.text(objectID))"
            case .other: "other"
            }
        }

        /// Whether a request of a context is the cause, rather than an object of it.
        var isRequest: Bool {
            switch self {
            case .fetch, .count: true
            default: false
            }
        }

        /// Whether the values of one object are read.
        var isFault: Bool {
            if case .fault = self { true } else { false }
        }

        private static func text(_ entity: String, _ predicate: String?) -> String {
            predicate.map { "\(entity) where \($0)" } ?? entity
        }

        private static func text(_ objectID: NSManagedObjectID) -> String {
            "\(objectID.layout.name)/p\(objectID.key.primaryKey)"
        }
    }
}
