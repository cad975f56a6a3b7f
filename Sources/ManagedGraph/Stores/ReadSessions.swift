// The sessions that a context has leased or writes with. Held by the context, used on its queue.
import GraphEngine

/// The sessions that a context has in hand.
struct ReadSessions {
    private struct Entry {
        let store: any RowStore
        let session: any ReadSession
        /// Whether it belongs to a save, which ends it.
        let isOfSave: Bool
    }

    private var entries: [Entry] = []

    /// The session for a store; that of a save before that of a turn.
    func session(of store: any RowStore) -> (any ReadSession)? {
        entries.last { $0.store === store }?.session
    }

    mutating func add(_ session: any ReadSession, of store: any RowStore, isOfSave: Bool = false) {
        entries.append(Entry(store: store, session: session, isOfSave: isOfSave))
    }

    /// Ends the snapshots: the next reads see the newest content.
    func renew() { for entry in entries where !entry.isOfSave { entry.session.renew() } }

    /// Forgets the sessions of a save.
    mutating func endSave() { entries.removeAll { $0.isOfSave } }

    /// Gives the leased sessions back.
    mutating func giveBack() {
        if entries.isEmpty { return }
        for entry in entries where !entry.isOfSave { entry.store.giveBack(entry.session) }
        entries.removeAll { !$0.isOfSave }
    }
}
