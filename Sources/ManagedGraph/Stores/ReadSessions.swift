// The sessions that a context has leased or writes with. Owned by the context and used on its queue.
import GraphEngine

/// The sessions that a context holds.
struct ReadSessions {
    private struct Entry {
        let store: any RowStore
        let session: any ReadSession
        /// Whether the session belongs to a save, which ends it.
        let isOfSave: Bool
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Returns the session of a store; a save's session takes precedence over a turn's.
    func session(of store: any RowStore) -> (any ReadSession)? {
        entries.last { $0.store === store }?.session
    }

    /// Returns the session of a store that a save, or that the turn, has.
    func session(of store: any RowStore, isOfSave: Bool) -> (any ReadSession)? {
        entries.last { $0.store === store && $0.isOfSave == isOfSave }?.session
    }

    mutating func add(_ session: any ReadSession, of store: any RowStore, isOfSave: Bool = false) {
        entries.append(Entry(store: store, session: session, isOfSave: isOfSave))
    }

    /// Renews the snapshots so that the next reads see the newest content.
    func renew() { for entry in entries where !entry.isOfSave { entry.session.renew() } }

    /// Removes the sessions of a save.
    mutating func endSave() { entries.removeAll { $0.isOfSave } }

    /// Returns the leased sessions to their stores.
    mutating func giveBack() {
        if entries.isEmpty { return }
        let former = entries
        entries.removeAll { !$0.isOfSave }
        // Last, because the observer of a statement may use the context.
        for entry in former where !entry.isOfSave { entry.store.giveBack(entry.session) }
    }
}
