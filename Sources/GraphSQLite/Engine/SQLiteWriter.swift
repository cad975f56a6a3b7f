// The one connection that writes a SQLite store, and its open transaction. A save holds its lock from `begin` to `commit` or
// `rollback`; other saves wait for the lock. A store without a log reads through this connection too.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import Synchronization

/// Writes a SQLite store.
package final class SQLiteWriter: SQLiteReader, BatchWriteSession {
    var writers: [Int: RowWriter] = [:]
    /// The join tables that rows of an entity are in, by entity.
    var joins: [Int: [ManyToMany]] = [:]
    /// How the latest pair was written.
    var latestJoin: JoinForm?
    /// What the transaction has written of the metadata; nil where nothing.
    var writtenMetadata: StoreMetadata?
    /// Whether the transaction has looked at metadata that a user has set.
    var tookMetadata = false
    private(set) var isSaving = false
    /// Set once another connection was seen to have written to the file.
    package private(set) var mayBeWrittenByOthers = false
    /// SQLite's mark of the file's content after the last save.
    private var dataVersion: UInt32?
    /// What the store itself has set in the save at work.
    package var derivedValues: [DerivedValue] = []
    /// Rows of the save at work that derived attributes depend on.
    var dependents: Set<DependentRow> = []
    /// What the save at work puts into the history; nil where none is tracked.
    var history: HistoryLog?
    /// Trees whose greatest key has been compared with what `Z_PRIMARYKEY` counts, by their number.
    var treesWithKnownKeys: Set<Int> = []
    /// What an atomic store does before the commit of its rows.
    package var willCommit: (() throws -> Void)?
    /// What it does when the transaction has ended; its argument says whether it was committed.
    package var didEnd: ((Bool) -> Void)?
    /// Set by tests, as no other way makes a commit fail after its transaction went well.
    package var failsNextCommit = false
    /// Pages the connection had written when a commit last checked the size of the log.
    private var pagesAtLogCheck = 0
    /// Saves committed so far.
    let transactions = Atomic<Int>(0)
    let rowsWritten = Atomic<Int>(0)

    /// Notes what the file's content is now: what differs later, others have written.
    func noteContent() { dataVersion = connection.dataVersion }

    /// Waits until no other save writes, then opens the transaction.
    package func begin(_ origin: SaveOrigin) throws {
        lock.lock()
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
            lock.unlock()
            throw error
        }
    }

    /// Notices whether another connection has written to the file since this one last did.
    private func noteOtherWriters() {
        guard !mayBeWrittenByOthers, !engine.isInMemory, let dataVersion else { return }
        mayBeWrittenByOthers = connection.dataVersion != dataVersion
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
        engine.files?.commit(isPinned: engine.isPinned)
        let outcome = CommitOutcome(derived: derivedValues, historyNumber: history?.lastTransaction)
        derivedValues = []
        let isLogCheckDue = isLogCheckDue()
        end(isCommitted: true)
        if isLogCheckDue { engine.emptyLargeLog() }
        return outcome
    }

    /// Returns true once in a megabyte of written pages: asking the disk for sizes costs as much as a small commit.
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
        didEnd?(isCommitted)
        lock.unlock()
    }
}

extension SQLiteEngine {
    /// The store's file is not where it was opened.
    fileprivate var moved: EngineError {
        EngineError(
            .moved,
            "The file \(path) was removed, moved or replaced since the store was opened, so that nothing written now would be "
                + "found in it.",
            remedy: "Put the file back and save again; or remove the store from its coordinator and add it anew."
        )
    }
}
