// Who reads is a value that a context hands down: the session of its save at work, else of the generation it is pinned to, else
// the one that its turn has leased, else one for a single read. Used on the context's queue.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    /// Runs `body` with a session of a store: inside of a turn, all of them read from one snapshot.
    final func reading<R>(_ store: any RowStore, _ body: (any ReadSession) throws -> R) throws -> R {
        if let session = sessions.session(of: store) ?? generation?.session(of: store) {
            return try store.mapErrors { try body(session) }
        }
        guard turnDepth > 0 else { return try store.reading(for: self, body) }
        let session = try store.lease(for: self, holdsSnapshot: true)
        sessions.add(session, of: store)
        return try store.mapErrors { try body(session) }
    }

    /// When the snapshot was taken that the turn reads a store from; nil where there is none yet.
    final func snapshotBegan(_ store: Int32) -> ContinuousClock.Instant? {
        registry.coordinator?.rowStore(at: store).flatMap { sessions.session(of: $0)?.snapshotBegan }
    }

    /// The next reads of the turn see what the stores hold then: called before what asks for the newest content, a merge or a
    /// refresh, so that none of it is handled on an older snapshot.
    final func renewSnapshots() {
        sessions.renew()
        readingAhead?.drop()
    }

    /// The same in all contexts whose blocks this thread is inside of: a save that they wait for is theirs too.
    final func renewSnapshotsOfThread() {
        renewSnapshots()
        QueueFrame.eachContext { if $0 !== self { $0.renewSnapshots() } }
    }
}
