// The only connection that writes an SQLite store, and its open transaction. A save holds the lock from `begin` to
// `commit` or `rollback`; other saves wait for it. A store without a log is also read through this connection.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import Synchronization

/// Writes an SQLite store.
package final class SQLiteWriter: SQLiteReader, BatchWriteSession {
    /// The writers of rows by the index of their entity.
    var writers: [Int: RowWriter] = [:] { didSet { latestWriter = nil } }
    /// The one used last: rows of one entity are adjacent.
    @exclusivity(unchecked) final var latestWriter: RowWriter?
    /// The join tables that can contain rows of an entity, by entity.
    var joins: [Int: [ManyToMany]] = [:]
    /// The statements that clear the owners of an entity's members without an inverse, by entity.
    var releases: [Int: [String]] = [:]
    /// The form of the latest join operation.
    @exclusivity(unchecked) final var latestJoin: JoinForm?
    /// The metadata written by the transaction; nil if it wrote none.
    @exclusivity(unchecked) var writtenMetadata: StoreMetadata?
    /// Whether the transaction took metadata changed by a user.
    @exclusivity(unchecked) var tookMetadata = false
    @exclusivity(unchecked) private(set) var isSaving = false
    /// Whether the monitor records the statements of the transaction.
    @exclusivity(unchecked) private var isRecorded = false
    override var isWriting: Bool { isSaving }
    /// Set once a write by another connection is detected.
    @exclusivity(unchecked) package private(set) var mayBeWrittenByOthers = false
    /// SQLite's data version after the last save.
    @exclusivity(unchecked) private var dataVersion: UInt32?
    /// Values that the store itself has set in the current save.
    @exclusivity(unchecked) package var derivedValues: [DerivedValue] = []
    /// Rows of the current save that derived attributes depend on.
    @exclusivity(unchecked) final var dependents: Set<DependentRow> = []
    /// The history of the current save; nil if no history is tracked.
    @exclusivity(unchecked) final var history: HistoryLog?
    /// The history that the current transaction leaves out.
    @exclusivity(unchecked) final var suspendedHistory: HistoryLog?
    /// Trees whose greatest key has been compared with the counter in `Z_PRIMARYKEY`, by tree index.
    @exclusivity(unchecked) var treesWithKnownKeys: Set<Int> = []
    /// The ends of ordered relationships that saves have appended to.
    @exclusivity(unchecked) var orderBounds = OrderBounds()
    /// Called by `commit` before it commits; set by atomic stores.
    @exclusivity(unchecked) package var willCommit: (() throws -> Void)?
    /// Called when the transaction has ended, with true if it was committed.
    @exclusivity(unchecked) package var didEnd: ((Bool) -> Void)?
    /// Set by tests, because a commit cannot otherwise be made to fail after a successful transaction.
    @exclusivity(unchecked) package var failsNextCommit = false
    /// The number of written pages when a commit last checked the size of the log.
    @exclusivity(unchecked) private var pagesAtLogCheck = 0
    /// Saves committed so far.
    let transactions = Atomic<Int>(0)
    let rowsWritten = Atomic<Int>(0)

    let handle = Handle()

    deinit { handle.clear() }

    /// Stores the file's data version, to detect later writes by other connections.
    func noteContent() { dataVersion = connection.dataVersion }

    override func reopen() throws { throw engine.closed }

    /// Waits for other saves to end, then opens the transaction.
    package func begin(_ origin: SaveOrigin) throws {
        lock.lock()
        isRecorded = refreshMonitoring()
        do {
            try engine.mapErrors {
                if connection.isClosed { throw engine.closed }
                if !engine.isInMemory, connection.hasFileMoved { throw engine.moved }
                try connection.begin(.immediate)
                derivedValues = []
                noteOtherWriters()
                history?.origin = origin
                isSaving = true
            }
        } catch {
            unlock()
            throw error
        }
    }

    /// Detects whether another connection has written to the database since this one last did.
    private func noteOtherWriters() {
        guard !engine.isInMemory || engine.configuration.sharedName != nil, let dataVersion,
            connection.dataVersion != dataVersion
        else { return }
        mayBeWrittenByOthers = true
        history?.forgetStrings()
        orderBounds.forget()
    }

    @discardableResult
    package func commit() throws -> CommitOutcome {
        try engine.mapErrors {
            try writeDependents()
            if failsNextCommit {
                failsNextCommit = false
                throw SQLiteError(code: 10, message: "the commit was made to fail")
            }
            try willCommit?()
            try writeMetadataIfChanged()
            try history?.write(connection)
            try engine.files?.prepareCommit()
            try connection.commit()
        }
        noteMetadataWritten(true)
        noteContent()
        transactions.add(1, ordering: .relaxed)
        engine.watch?.wake((try? lastTransaction()) ?? nil)
        if let file = engine.file { WatchedFiles.wake(file, except: engine.watch) }
        engine.files?.commit(isPinned: engine.isPinned, makeDurable: connection.synchronizeCommits)
        let outcome = CommitOutcome(derived: derivedValues, historyNumber: history?.lastTransaction)
        derivedValues = []
        let isLogCheckDue = isLogCheckDue()
        end(isCommitted: true)
        if isLogCheckDue { engine.emptyLargeLog() }
        return outcome
    }

    /// Returns true once per megabyte of written pages: reading file sizes costs as much as a small commit.
    private func isLogCheckDue() -> Bool {
        let written = connection.writtenPages
        // The status is a 32-bit counter that may wrap.
        guard abs(written - pagesAtLogCheck) >= Self.pagesBetweenLogChecks else { return false }
        pagesAtLogCheck = written
        return true
    }

    private static var pagesBetweenLogChecks: Int { 256 }

    package func rollback() {
        guard isSaving else { return }
        noteMetadataWritten(false)
        dependents = []
        derivedValues = []
        history?.forget()
        engine.files?.rollback()
        treesWithKnownKeys = []
        orderBounds.forget()
        if connection.isInTransaction {
            do {
                try connection.rollback()
            } catch {
                engine.log(.error, "A failed save of \(engine.path) could not be rolled back: \(error)")
            }
        }
        end(isCommitted: false)
    }

    private func end(isCommitted: Bool) {
        isSaving = false
        if let suspended = suspendedHistory.take() { history = suspended }
        didEnd?(isCommitted)
        unlock()
    }

    private func unlock() {
        let isRecorded = isRecorded
        lock.unlock()
        if isRecorded { deliver() }
    }
}

extension SQLiteEngine {
    /// The error for a store file that is no longer at its original path.
    fileprivate var moved: EngineError {
        EngineError(
            .moved,
            "The file \(path) was removed, moved or replaced since the store was opened, so that nothing written now "
                + "would be found in it.",
            remedy: "Put the file back and save again; or remove the store from its coordinator and add it anew."
        )
    }
}
