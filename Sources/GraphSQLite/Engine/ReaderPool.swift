// The connections that read a store during saves. Owned by an SQLite store whose file has a log or is never written. A
// reader never waits for a connection: if all are leased, the pool opens another, and closes it when it is returned.
import GraphEngine
import Synchronization

/// A store's readers.
final class ReaderPool: Sendable {
    private struct State {
        /// Readers that are not leased; the last one returned is leased first, because its cache is warm.
        var idle: [SQLiteReader] = []
        /// All open readers.
        var readers: [SQLiteReader] = []
        var isClosed = false
        /// The counts of closed readers.
        var retired = (statements: 0, rows: 0)

        /// Registers a new reader; returns false if the pool is closed.
        mutating func add(_ reader: SQLiteReader) -> Bool {
            if isClosed { return false }
            readers.append(reader)
            return true
        }

        /// Removes a reader; returns false if the pool does not have it.
        mutating func remove(_ reader: SQLiteReader) -> Bool {
            guard let index = readers.firstIndex(where: { $0 === reader }) else { return false }
            readers.remove(at: index)
            return true
        }
    }

    /// Guards the lists of readers.
    private let state = Mutex(UnsafeTransfer(State()))
    /// The number of idle readers kept open.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Leases a reader; `make` opens one if none is idle.
    ///
    /// Nil if the pool is closed.
    func lease(_ make: () throws -> SQLiteReader) rethrows -> SQLiteReader? {
        let (idleReader, isClosed) = state.withLock { ($0.value.idle.popLast(), $0.value.isClosed) }
        if let idleReader { return idleReader }
        if isClosed { return nil }
        let newReader = try make()
        guard state.withLock({ $0.value.add(newReader) }) else {
            newReader.close()
            return nil
        }
        return newReader
    }

    /// Returns a reader to the pool.
    func giveBack(_ reader: SQLiteReader) {
        reader.renew()
        let isKept = state.withLock { state in
            if !state.value.isClosed, state.value.idle.count < limit {
                state.value.idle.append(reader)
                return true
            }
            if state.value.remove(reader) {
                state.value.retired.statements += reader.connection.statementsRun
                state.value.retired.rows += reader.connection.rowsRead
            }
            return false
        }
        if !isKept { reader.close() }
    }

    /// Ends all snapshots; readers in use take new ones.
    func renewAll() { for reader in all { reader.renew() } }

    /// Closes all connections, including leased ones, whose next read throws.
    func close() {
        let readers = state.withLock { state in
            state.value.isClosed = true
            defer {
                state.value.idle = []
                state.value.readers = []
            }
            return state.value.readers
        }
        for reader in readers { reader.close() }
    }

    /// Statements run and rows read by all readers.
    var counts: (statements: Int, rows: Int) {
        state.withLock { state in
            state.value.readers.reduce(state.value.retired) {
                ($0.statements + $1.connection.statementsRun, $0.rows + $1.connection.rowsRead)
            }
        }
    }

    private var all: [SQLiteReader] { state.withLock { $0.value.readers } }
}
