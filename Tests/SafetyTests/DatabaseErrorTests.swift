// Faults of a PostgreSQL database: each ends a save in an error with Apple's code, the cause and the remedy; nothing is half
// done, and the next attempt is right once the cause is gone.
import ExpectationSupport
import Foundation
import PostgreSQLSupport
import SafetySupport
import SharedStoreSupport
import Synchronization
import Testing

@testable import ManagedGraph

@Suite(
    "PostgreSQL: errors",
    .serialized,
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct DatabaseErrorTests {
    /// A store of the role `app` in a database of its own, with a writer.
    private final class Desk {
        let server: PostgreSQLServer
        let database: String
        let schema = "shop"
        let store: SharedStore
        private var writer: SharedWriter
        private(set) var done = SharedWriter.first - 1

        init(_ server: PostgreSQLServer, tablespace: String? = nil, pool: Int = 2) throws {
            self.server = server
            if try server.execute("SELECT 1 FROM pg_roles WHERE rolname = 'app'").isEmpty {
                try server.execute("CREATE ROLE app LOGIN")
            }
            database = try server.makeDatabase()
            if let tablespace { try server.execute("ALTER DATABASE \(database) SET TABLESPACE \(tablespace)") }
            try server.execute("CREATE SCHEMA shop AUTHORIZATION app", in: database)
            let address = server.address(database, "schema=shop", "pool=\(pool)", "timeout=1")
                .replacingOccurrences(of: "\(PostgreSQLServer.user)@", with: "app@")
            store = try SharedStore(address)
            try store.fill()
            writer = SharedWriter(store, writer: 0, seed: 1)
            try save()
        }

        func sql(_ text: String) throws {
            try server.execute(
                text.replacingOccurrences(of: "$s", with: schema).replacingOccurrences(of: "$d", with: database),
                in: database
            )
            // The server ends sessions some time after it was asked to.
            for _ in 0..<1_000 where text.contains("pg_terminate_backend") {
                let rows = try server.execute(
                    "SELECT 1 FROM pg_stat_activity WHERE datname = '\(database)' AND usename = 'app'"
                )
                if rows.isEmpty { return }
                usleep(5_000)
            }
        }

        /// Saves the next step; it must be in the database then.
        func save() throws {
            try writer.run(done + 1)
            done += 1
            try expectEqual(check(), [])
        }

        /// Expects the next step to fail and to leave nothing.
        func fails(_ code: Int, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation) {
            let error = #expect(throws: NSError.self, sourceLocation: sourceLocation) { try writer.run(done + 1) }
            Desk.expect(error, code, words, sourceLocation)
        }

        static func expect(_ error: NSError?, _ code: Int, _ words: [String], _ location: SourceLocation) {
            let text = [error?.localizedDescription, error?.localizedFailureReason].compactMap(\.self).joined(
                separator: " "
            )
            expectEqual(error?.domain, NSCocoaErrorDomain, "\(text)", sourceLocation: location)
            expectEqual(error?.code, code, "\(text)", sourceLocation: location)
            #expect(words.allSatisfy { text.contains($0) }, "\(text)", sourceLocation: location)
            expectEqual(error?.localizedRecoverySuggestion?.isEmpty, false, "\(text)", sourceLocation: location)
        }

        /// Everything that is wrong in the tables, and a transaction that is left open.
        func check() throws -> [String] {
            var violations = try server.execute(SharedWriter.violations(schema: schema), in: database).compactMap {
                $0[0]
            }
            let last = try server.execute(
                "SELECT max(split_part(author, ':', 2)::bigint) FROM shop._transaction WHERE author LIKE '0:%'",
                in: database
            )
            if last[0][0] != "\(done)" { violations.append("the last step is \(last[0][0] ?? "none"), not \(done)") }
            let open = try server.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)' AND xact_start IS NOT NULL "
                    + "AND pid <> pg_backend_pid() AND usename = 'app' AND state LIKE 'idle in%'"
            )
            if open[0][0] != "0" { violations.append("a transaction is left open") }
            return violations
        }

        deinit { try? store.close() }
    }

    @Test(
        "A fault ends saves and batches in an error, and they succeed once it is repaired",
        arguments: DatabaseFault.all
    )
    func faults(_ fault: DatabaseFault) throws {
        let desk = try Desk(PostgreSQLServer.shared())
        // A batch request, a save, and a save after others.
        while desk.done < 19 { try desk.save() }
        for _ in 0..<2 {
            try desk.sql(fault.cause)
            desk.fails(fault.code, fault.word)
            desk.fails(fault.code, fault.word)
            if fault.failsReads {
                let context = desk.store.coordinator.makeContext()
                context.performAndWait {
                    let error = #expect(throws: NSError.self) { try context.all("Entry", "TRUEPREDICATE") }
                    Desk.expect(error, fault.code, [fault.word], #_sourceLocation)
                }
            }
            try desk.sql(fault.repair)
            try expectEqual(desk.check(), [])
            try desk.save()
        }
        try desk.save()
    }

    @Test("The end of the server is an error until it runs again")
    func serverGone() throws {
        let server = try PostgreSQLServer()
        let desk = try Desk(server)
        for mode in [PostgreSQLServer.StopMode.immediate, .fast] {
            try server.stop(mode)
            desk.fails(NSPersistentStoreOpenError, "cannot be opened")
            try server.start()
            try desk.save()
        }
    }

    /// Runs `body` while another session holds the rows of all accounts and entries.
    private func whileLocked(_ desk: Desk, _ body: (_ release: () throws -> Void) throws -> Void) throws {
        let locker = DispatchSemaphore(value: 0)
        let (server, database) = (desk.server, desk.database)
        Thread.detachNewThread {
            // Ended from outside: the test terminates it.
            _ = try? server.execute(
                "BEGIN; LOCK TABLE shop.\"Entry\" IN EXCLUSIVE MODE; SELECT pg_sleep(60)",
                in: database
            )
            locker.signal()
        }
        for _ in 0..<1_000 {
            let rows = try server.execute(
                "SELECT 1 FROM pg_locks WHERE relation = 'shop.\"Entry\"'::regclass AND mode = 'ExclusiveLock' AND granted",
                in: database
            )
            if !rows.isEmpty { break }
            usleep(5_000)
        }
        var isReleased = false
        func release() throws {
            if isReleased { return }
            isReleased = true
            try server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()"
            )
            locker.wait()
        }
        defer { try? release() }
        try body(release)
    }

    @Test("A save whose session is ended while it waits for a lock has written nothing")
    func sessionEnded() throws {
        let desk = try Desk(PostgreSQLServer())
        try whileLocked(desk) { release in
            let server = desk.server
            Thread.detachNewThread {
                for _ in 0..<1_000 {
                    let rows = try? server.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' "
                            + "AND wait_event_type = 'Lock'"
                    )
                    if rows?.isEmpty == false { return }
                    usleep(5_000)
                }
            }
            desk.fails(NSSQLiteErrorCode, "connection", "lost")
            try release()
        }
        try desk.save()
    }

    @Test("A statement that takes too long is cancelled")
    func statementTimeout() throws {
        let desk = try Desk(PostgreSQLServer())
        try desk.sql("ALTER ROLE app SET statement_timeout = '150ms'")
        try desk.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'")
        try whileLocked(desk) { release in
            desk.fails(NSSQLiteErrorCode, "statement timeout")
            try release()
        }
        try desk.save()
    }

    @Test("A lock that does not become free in time is an error")
    func lockTimeout() throws {
        let desk = try Desk(PostgreSQLServer())
        try desk.sql("ALTER ROLE app SET lock_timeout = '150ms'")
        try desk.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'")
        try whileLocked(desk) { release in
            desk.fails(NSPersistentStoreTimeoutError, "lock timeout")
            try release()
        }
        try desk.save()
    }

    @Test("A block that rests too long loses its snapshot with an error, and the next one reads again")
    func idleTimeout() throws {
        let desk = try Desk(PostgreSQLServer())
        let terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'"
        try desk.sql("ALTER ROLE app SET idle_in_transaction_session_timeout = '200ms'")
        try desk.sql(terminate)
        let context = desk.store.coordinator.makeContext()
        try context.performAndWait { () throws in
            try expectEqual(context.all("Account", "TRUEPREDICATE").count, SharedStore.accounts)
            usleep(500_000)
            let error = #expect(throws: NSError.self) { try context.all("Label", "TRUEPREDICATE") }
            Desk.expect(error, NSSQLiteErrorCode, ["idle-in-transaction"], #_sourceLocation)
        }
        // A busy machine can let the next transactions rest, too.
        try desk.sql("ALTER ROLE app RESET idle_in_transaction_session_timeout")
        try desk.sql(terminate)
        try context.performAndWait { () throws in
            try expectEqual(context.all("Label", "TRUEPREDICATE").count, SharedStore.labels.count)
        }
        try desk.save()
    }

    @Test("A server without free connections is an error that names the remedy")
    func connectionLimit() throws {
        let desk = try Desk(PostgreSQLServer(), pool: 1)
        try desk.sql("ALTER ROLE app CONNECTION LIMIT 0")
        try desk.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'")
        desk.fails(NSPersistentStoreTimeoutError, "too many connections")
        try desk.sql("ALTER ROLE app CONNECTION LIMIT 5")
        try desk.save()
    }

    @Test(
        "A full disk refuses a save, and the next one succeeds when there is space",
        .enabled(if: geteuid() == 0 && SmallVolume.canMount, "no volume can be mounted here")
    )
    func fullDisk() throws {
        let server = try PostgreSQLServer()
        let volume = URL(filePath: "/tmp/mgpg-small-\(getpid())", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: volume, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: volume) }
        let owner = try FileManager.default.attributesOfItem(atPath: server.folder.path)[.ownerAccountID] as? Int ?? 0
        // The server was started in this namespace, so that it sees the volume.
        try #require(mount("none", volume.path, "tmpfs", 0, "size=20m,mode=700,uid=\(owner)") == 0)
        defer { umount2(volume.path, 2) }
        try server.execute("CREATE TABLESPACE small LOCATION '\(volume.path)'")
        let desk = try Desk(server, tablespace: "small")
        let filler = volume.appending(path: "filler")
        for _ in 0..<2 {
            // Everything that is free, but for the blocks that tables already have.
            _ = FileManager.default.createFile(atPath: filler.path, contents: nil)
            let handle = try FileHandle(forWritingTo: filler)
            while (try? handle.write(contentsOf: Data(count: 4_096))) != nil {}
            try handle.close()
            var isFull = false
            for _ in 0..<2_000 where !isFull {
                do {
                    try desk.save()
                } catch let error as NSError {
                    isFull = true
                    Desk.expect(error, CocoaError.Code.fileWriteOutOfSpace.rawValue, ["No space"], #_sourceLocation)
                }
            }
            #expect(isFull)
            try FileManager.default.removeItem(at: filler)
            try expectEqual(desk.check(), [])
            try desk.save()
        }
    }
}
