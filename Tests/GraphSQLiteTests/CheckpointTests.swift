// How often the log is copied into the file, with and without a reader that keeps its old content.
import ExpectationSupport
import Foundation
import GraphSQL
import Testing

@testable import GraphSQLite

struct CheckpointTests {
    /// Runs commits of a page each; returns the pages after which a checkpoint was tried.
    private func tries(_ pages: ClosedRange<Int32>, copied: (Int32) -> Int32) -> [Int32] {
        var schedule = CheckpointSchedule()
        return pages.filter { count in
            guard schedule.isDue(count) else { return false }
            schedule.note(count, copied: copied(count), after: count)
            return true
        }
    }

    @Test("A checkpoint that a reader stops is tried again when the log has grown by a quarter")
    func stopped() {
        expectEqual(Array(tries(1...8_000) { _ in 10 }), [1_000, 2_000, 3_000, 4_000, 5_000, 6_250, 7_812])
        #expect(tries(1...10_000_000) { _ in 10 }.count < 50)
    }

    @Test("Without a reader it runs after each commit beyond the limit, as SQLite's own")
    func free() {
        expectEqual(Array(tries(1...1_003) { $0 }), [1_000, 1_001, 1_002, 1_003])
    }

    @Test("A log that has begun anew, and one whose checkpoint has failed, begin with the limit")
    func again() {
        var schedule = CheckpointSchedule()
        schedule.note(5_000, copied: 10, after: 5_000)
        expectEqual(schedule.isDue(5_001), false)
        expectEqual(schedule.isDue(3), false)
        expectEqual(schedule.isDue(1_000), true)
        schedule.note(-1, copied: -1, after: 1_000)
        expectEqual(schedule.isDue(1_001), false)
        expectEqual(schedule.isDue(2_000), true)
    }

    @Test("Once the reader has ended, the log is copied and begins anew")
    func readerEnds() throws {
        let folder = try TemporaryFolder()
        let writer = try Connection(path: folder.file("a.sqlite"), mode: .create)
        try writer.setJournalMode("wal")
        try writer.execute("PRAGMA synchronous = OFF; CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)")
        func write(_ commits: Int) throws {
            for _ in 0..<commits { try writer.execute("INSERT INTO t (b) VALUES (zeroblob(4000))") }
        }
        let reader = try Connection(path: folder.file("a.sqlite"))
        try reader.begin(.deferred)
        _ = try reader.rows("SELECT count(*) FROM t")
        try write(1_500)
        let grown = writer.logSize
        #expect(grown > 1_500 * 4_096)
        try expectEqual(reader.rows("SELECT count(*) FROM t"), [[.integer(0)]])
        try reader.commit()
        try write(1_500)
        let end = writer.logSize
        try write(2_000)
        expectEqual(writer.logSize, end)
        try expectEqual(writer.rows("SELECT count(*) FROM t"), [[.integer(5_000)]])
    }

    @Test("A user's own limit replaces the schedule")
    func pragma() throws {
        let folder = try TemporaryFolder()
        let writer = try Connection(path: folder.file("a.sqlite"), mode: .create)
        try writer.setJournalMode("wal")
        try writer.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF; CREATE TABLE t (b BLOB)")
        for _ in 0..<1_500 { try writer.execute("INSERT INTO t VALUES (zeroblob(4000))") }
        let size = writer.logSize
        for _ in 0..<1_500 { try writer.execute("INSERT INTO t VALUES (zeroblob(4000))") }
        #expect(writer.logSize > size + 1_500 * 4_096)
    }
}
