// Selects the session for reads: that of the save in progress, else that of the pinned generation, else the one leased
// by the turn, else one for a single read. Used on the context's queue.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// Runs `body` with a session of a store; all reads of a turn share one snapshot.
    ///
    /// A child reads with the sessions of its parent, from which it has its objects too: values read directly from the store
    /// must not be older than they are.
    // Inlined, each way to a session would copy all that the body captures.
    @inline(never)
    final func reading<R>(_ store: any RowStore, _ body: (any ReadSession) throws -> R) throws -> R {
        if let session = sessionInUse(of: store) {
            return try store.mapErrors { try body(session) }
        }
        if let parentContext {
            return try parentContext.onQueue { () throws in try parentContext.reading(store, body) }
        }
        guard turnDepth > 0 else { return try store.reading(for: self, body) }
        let session = try store.lease(for: self, holdsSnapshot: true)
        sessions.add(session, of: store)
        return try store.mapErrors { try body(session) }
    }

    /// The session that the context reads a store with; nil if it has none yet.
    private final func sessionInUse(of store: any RowStore) -> (any ReadSession)? {
        guard let generation else { return sessions.session(of: store) }
        // The turn may have leased a session before the context was pinned.
        return sessions.session(of: store, isOfSave: true) ?? generation.session(of: store)
            ?? sessions.session(of: store)
    }

    /// The time at which the turn's snapshot of a store was taken; nil if there is none yet.
    final func snapshotBegan(_ store: Int32) -> Moment? {
        registry.coordinator?.rowStore(at: store).flatMap { sessions.session(of: $0)?.snapshotBegan }
    }

    /// Makes the next reads of the turn see the stores' newest content; called before a merge or a refresh, which must
    /// not run on an older snapshot.
    final func renewSnapshots() {
        if !sessions.isEmpty { observed(.snapshot) { sessions.renew() } }
        readingAhead?.drop()
    }

    /// Renews the snapshots of all contexts that this thread is inside: they wait for the same save.
    final func renewSnapshotsOfThread() {
        renewSnapshots()
        QueueFrame.eachContext { if $0 !== self { $0.renewSnapshots() } }
    }
}
