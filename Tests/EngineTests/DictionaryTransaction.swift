// The transactions of DictionaryEngine.
import Foundation
import GraphEngine

/// Changes a copy of the content, and reads from it.
final class DictionaryTransaction: DictionarySession, WriteSession {
    private var changed: DictionaryContent
    private var isOver = false
    var mayBeWrittenByOthers: Bool { false }

    init(_ engine: DictionaryEngine, _ content: DictionaryContent) {
        changed = content
        super.init(engine, holdsSnapshot: false)
    }

    override func content() throws -> DictionaryContent {
        _ = try engine.content()
        return changed
    }
    func reserveKeys(tree: TreeLayout, count: Int) throws -> [ClosedRange<Int64>] {
        try engine.state.withLock { state in
            _ = try state.opened()
            state.lastKey += Int64(count)
            return [state.lastKey - Int64(count) + 1...state.lastKey]
        }
    }
    func write(_ changes: StoreChanges) throws -> StoreOutcome {
        _ = try content()
        return try changed.apply(changes)
    }
    func commit() throws -> CommitOutcome {
        try engine.state.withLock { state in
            _ = try state.opened()
            state.content = changed
        }
        rollback()
        return CommitOutcome()
    }
    func rollback() {
        if !isOver { engine.writing.unlock() }
        isOver = true
    }
}
