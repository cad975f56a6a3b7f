// The rows that the saves of one coordinator have changed, and when: a replacement for a row cache. A fault whose row
// was read earlier is filled with the row as it was saved last. Written after each commit, read when faults fire.
import GraphEngine
import Synchronization

/// The rows that a coordinator's saves have changed.
///
/// A save costs one array; only faults that were read before the latest save look up rows. Repeated saves of the same
/// rows take the memory of one. Above `limit` rows the oldest entries are dropped: faults that were read before those
/// saves read their rows again.
final class SavedRows: Sendable {
    private struct Place: Hashable {
        var store: Int32
        var tree: Int
        var primaryKey: Int64

        init(_ row: SavedRow) {
            store = row.store
            tree = row.tree
            primaryKey = row.primaryKey
        }
    }

    private struct Entry {
        var savedAt: Moment
        var version: Int64
    }

    private struct Content {
        var entries: [Place: Entry] = [:]
        /// Saves that are not entered yet.
        var waiting: [(rows: [SavedRow], savedAt: Moment)] = []
        var waitingCount = 0
        var latestDeletion: Moment?
        /// Records of earlier saves were dropped.
        var forgottenUntil: Moment?

        mutating func enterWaiting() {
            for (rows, savedAt) in waiting {
                for row in rows { entries[Place(row)] = Entry(savedAt: savedAt, version: row.version) }
            }
            waiting = []
            waitingCount = 0
        }
    }

    /// Rows that are remembered.
    static let limit = 16_384
    /// Saves that are not entered yet, at most.
    private static let waitingLimit = 512
    private let content = Mutex(Content())
    /// The latest save, in nanoseconds.
    private let latestSave = Atomic<Int64>(.min)

    /// Notes the rows of one save; O(1) beside the array.
    func note(_ rows: [SavedRow]) {
        guard !rows.isEmpty else { return }
        let deletes = rows.contains { $0.version <= SavedRow.deleted }
        content.withLock { content in
            let now = Moment.now
            // Under the lock the moments ascend: an earlier save cannot replace a later one.
            latestSave.store(now.nanoseconds, ordering: .releasing)
            if deletes { content.latestDeletion = now }
            content.waiting.append((rows, now))
            content.waitingCount += rows.count
            if content.waiting.count > Self.waitingLimit, content.waitingCount <= Self.limit { content.enterWaiting() }
            guard content.waitingCount + content.entries.count > Self.limit else { return }
            content.entries = [:]
            content.waiting = []
            content.waitingCount = 0
            content.forgottenUntil = now
        }
    }

    /// Whether anything was saved; takes no lock.
    var hasSaves: Bool { latestSave.load(ordering: .acquiring) > .min }

    /// Whether anything was saved at a moment or later; takes no lock.
    func hasSaves(since readAt: Moment) -> Bool {
        readAt.nanoseconds <= latestSave.load(ordering: .acquiring)
    }

    /// When a save or a batch request of the coordinator has last deleted rows.
    var latestDeletion: Moment? {
        latestSave.load(ordering: .acquiring) > .min ? content.withLock { $0.latestDeletion } : nil
    }

    /// Whether a save has changed a row since it was read; O(1).
    func isOutdated(_ row: SavedRow, readAt: Moment) -> Bool {
        guard hasSaves(since: readAt) else { return false }
        return content.withLock { content in
            if let until = content.forgottenUntil, readAt < until { return true }
            content.enterWaiting()
            return content.entries[Place(row)].map { readAt < $0.savedAt } ?? false
        }
    }

    /// The version with which a save of the coordinator has left a row; nil if none is known to have changed it.
    func version(of row: SavedRow) -> Int64? {
        content.withLock { content in
            content.enterWaiting()
            return content.entries[Place(row)]?.version
        }
    }
}

extension NSManagedObject {
    /// The object's row as saves note it.
    func savedRow(version: Int64 = SavedRow.unknown) -> SavedRow {
        let table = table.pointee
        return SavedRow(store: table.store, tree: Int(table.tree), primaryKey: primaryKey, version: version)
    }

}

extension NSPersistentStoreCoordinator {
    /// Whether a save has changed an object's row since it was read; O(1).
    final func hasSaved(_ object: NSManagedObject, since readAt: Moment) -> Bool {
        savedRows.isOutdated(object.savedRow(), readAt: readAt)
    }
}
