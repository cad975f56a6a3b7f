// Tests several processes that write one store while one of them is killed: each save is stored once and completely.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Synchronization
import Testing

@testable import StoreProgram

struct SeveralWritersTests {
    private static let count = 40

    @Test func savesOfSeveralProcessesAreAllThere() throws {
        let run = try WriterRun(seed: 1)
        try NoteStore(run.store).close()
        let writers = try (1...3).map { try run.start("add", run.store.path, "\($0)", "\(Self.count)") }
        for (process, output) in writers {
            let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            expectEqual(text, "added\n")
        }
        try check(run, writers: 3)
    }

    @Test func aKilledWriterBlocksNoOtherProcess() async throws {
        let run = try WriterRun(seed: 2)
        try NoteStore(run.store).close()
        let doomed = try run.start("add", run.store.path, "9", "100000")
        let writers = try (1...2).map { try run.start("add", run.store.path, "\($0)", "\(Self.count)") }
        try await Task.sleep(for: .milliseconds(300))
        kill(doomed.process.processIdentifier, SIGKILL)
        doomed.process.waitUntilExit()
        for (process, output) in writers {
            expectEqual(String(decoding: output.readDataToEndOfFile(), as: UTF8.self), "added\n")
            process.waitUntilExit()
        }
        try check(run, writers: 2)
    }

    @Test func aProcessIsNotifiedOfTheSavesOfAnother() async throws {
        let run = try WriterRun(seed: 3)
        let store = try NoteStore(run.store, options: [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true])
        let before = try store.lastStep()
        let heard = Mutex<[NSPersistentHistoryToken]>([])
        let url = run.store
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: nil,
            queue: nil
        ) { note in
            guard note.userInfo?[NSPersistentStoreURLKey] as? URL == url,
                let token = note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
            else { return }
            heard.withLock { $0.append(token) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let (process, output) = try run.start("add", run.store.path, "4", "5")
        expectEqual(String(decoding: output.readDataToEndOfFile(), as: UTF8.self), "added\n")
        process.waitUntilExit()
        // The notification of the last change arrives with a delay.
        func missed(after token: NSPersistentHistoryToken?) throws -> Int? {
            try store.container.performAndWait { () throws in
                let result = try store.container.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
                return ((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])?.count
            }
        }
        for _ in 0..<200 {
            if let last = heard.withLock({ $0.last }), try missed(after: last) == 0 { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        let tokens = heard.withLock { $0 }
        expectEqual(before, 0)
        #expect(!tokens.isEmpty)
        try expectEqual(missed(after: tokens.last), 0)
        try expectEqual(missed(after: nil), 5)
        try store.close()
    }

    /// Checks that all notes of each writer exist once, those of a killed one without a gap, each with one transaction.
    private func check(_ run: WriterRun, writers: Int) throws {
        let store = try NoteStore(run.store)
        let content = try store.content()
        for writer in 1...writers {
            let wanted = Set((1...Self.count).map { writer * 1_000_000 + $0 })
            #expect(wanted.isSubset(of: content.keys))
        }
        let doomed = content.keys.filter { $0 > 9_000_000 }
        expectEqual(Set(doomed), Set(doomed.indices.map { 9_000_001 + $0 }))
        expectEqual(content.count, writers * Self.count + doomed.count)
        try store.close()
        WriterRun.check(run.store)
        let connection = try Connection(path: run.store.path, mode: .readOnly)
        defer { connection.close() }
        try expectEqual(
            connection.rows("SELECT COUNT(*), COUNT(DISTINCT ZAUTHORTS) FROM ATRANSACTION"),
            [[.integer(Int64(content.count)), .integer(Int64(content.count))]]
        )
        let keys = try connection.rows("SELECT MAX(Z_PK), COUNT(DISTINCT Z_PK), COUNT(*) FROM ZNOTE").first
        expectEqual(
            keys,
            [.integer(Int64(content.count)), .integer(Int64(content.count)), .integer(Int64(content.count))]
        )
    }
}
