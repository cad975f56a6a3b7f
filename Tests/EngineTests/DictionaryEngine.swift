// An engine that stores rows in dictionaries, the example of Documentation/Engines.md. It passes the tests of all
// engines, and DictionaryStore makes a store of it. Its sessions, transactions and content are in Dictionary*.swift.
import Foundation
import GraphEngine
import Synchronization

/// An in-memory store whose content is one value.
///
/// A snapshot is a copy of the content; a transaction changes its own copy, and its commit installs that copy.
final class DictionaryEngine: StoreEngine, Sendable {
    struct State {
        var storeIndex: Int32 = 0
        /// The committed content; nil while the store is closed.
        var content: DictionaryContent?
        /// The last key, shared by all trees; not part of the content, because a rollback does not return keys.
        var lastKey: Int64 = 0

        func opened() throws -> DictionaryContent {
            if let content { content } else { throw EngineError(.closed, "the store is closed") }
        }
    }
    let state = Mutex(State())
    /// Held for the whole duration of a transaction.
    let writing = NSLock()

    var storeIndex: Int32 {
        get { state.withLock(\.storeIndex) }
        set { state.withLock { $0.storeIndex = newValue } }
    }

    func open(_ model: ModelLayout) { state.withLock { $0.content = DictionaryContent(model: model) } }
    func close() { state.withLock { $0.content = nil } }

    func lease(holdsSnapshot: Bool) throws -> any ReadSession {
        _ = try content()
        return DictionarySession(self, holdsSnapshot: holdsSnapshot)
    }
    func giveBack(_ session: any ReadSession) { session.renew() }
    func beginSave(_ origin: SaveOrigin) throws -> any WriteSession {
        writing.lock()
        do {
            return DictionaryTransaction(self, try content())
        } catch {
            writing.unlock()
            throw error
        }
    }

    func split(_ fetch: StoreFetch) -> SplitStoreFetch {
        let all = StoreFetch(layout: fetch.layout, includesSubentities: fetch.includesSubentities)
        return SplitStoreFetch(fetch: all, remainder: fetch.predicate, isSorted: fetch.sort.isEmpty)
    }

    func entityNumber(_ layout: EntityLayout) -> Int64 { Int64(layout.index) + 1 }
    func entityIndex(number: Int64) -> Int? {
        state.withLock { $0.content?.model.entities.indices.first { Int64($0) + 1 == number } }
    }

    func hasJoinTable(_ layout: EntityLayout, _ slot: Int) -> Bool {
        layout.properties[slot].kind == .toMany && layout.inverse(slot)?.property.kind != .toOne
    }
    func hasOwnerColumn(_ layout: EntityLayout, _ slot: Int) -> Bool { false }

    func content() throws -> DictionaryContent { try state.withLock { try $0.opened() } }
}
