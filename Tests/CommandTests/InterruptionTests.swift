// Tests long commands in a terminal: progress is shown only there, and control-C leaves all files unchanged.
import ExpectationSupport
import Foundation
import GraphSQLite
import Testing

@Suite("Progress and interruption")
struct InterruptionTests {
    private static func lines(_ count: Int) -> String {
        (0..<count).map {
            "{\"$id\":\"Thing/p\($0 + 1)\",\"name\":\"thing \($0)\",\"twin\":null,\"friends\":[\"Thing/p\($0 % 7 + 1)\"]}\n"
        }
        .joined()
    }

    /// Runs the command and interrupts it as soon as its progress bar is on the screen.
    private func interrupt(_ arguments: [String], _ number: Int32) async throws -> (screen: String, status: Int32) {
        try await TerminalCommand(["store"] + arguments, interruption: (number, "%")).finish()
    }

    @Test("An import shows its progress in a terminal, erases it at the end, and shows none in a pipe")
    func progress() async throws {
        let folder = try ExchangeFolder()
        let file = try folder.write(Self.lines(5_000), "Thing.jsonl")
        let shown = try await TerminalCommand([
            "store", "import", folder.path("a.sqlite"), file, "--model", folder.model,
        ]).finish()
        expectEqual(shown.status, 0, "\(shown.screen.suffix(300))")
        #expect(shown.screen.contains("\rimporting ") && shown.screen.contains(" rows"), "\(shown.screen.suffix(300))")
        let end = try #require(shown.screen.range(of: "\r\u{1B}[K", options: .backwards))
        #expect(shown.screen[end.upperBound...].contains("5,000 rows imported"))
        let dumb = try await TerminalCommand(
            ["store", "export", folder.path("a.sqlite"), "-o", folder.path("a.csv"), "--entity", "Thing"],
            environment: ["TERM": "dumb"]
        ).finish()
        expectEqual(dumb.status, 0)
        #expect(dumb.screen.isEmpty)
        let pipe = try await folder.run("export", folder.path("a.sqlite"), "-o", folder.path("b.jsonl"))
        expectEqual(pipe.status, 0)
        #expect(pipe.errors.isEmpty && pipe.output.isEmpty)
    }

    @Test("An interrupted import leaves the store unchanged and no other files", arguments: [SIGINT, SIGTERM])
    func interruptedImport(number: Int32) async throws {
        let folder = try ExchangeFolder()
        let file = try folder.write(Self.lines(20_000), "Thing.jsonl")
        let new = try await interrupt(["import", folder.path("new.sqlite"), file, "--model", folder.model], number)
        expectEqual(new.status, 130, "\(new.screen.suffix(300))")
        try expectEqual(folder.names(), ["Model.xcdatamodel", "Thing.jsonl"])
        let store = try await folder.store("old.sqlite", "{\"$entity\":\"Thing\",\"name\":\"before\"}\n")
        let old = try await interrupt(["import", store, file, "--model", folder.model], number)
        expectEqual(old.status, 130)
        #expect(!old.screen.contains("imported"))
        #expect(try await folder.run("count", store, "Thing").output == "1\n")
        try await folder.check(store)
        try expectEqual(folder.names(), ["Model.xcdatamodel", "Thing.jsonl", "old.sqlite", "old.sqlite.jsonl"])
    }

    /// A folder with a large store, made once for all commands that are interrupted while they read.
    private static let large = Task {
        let folder = try ExchangeFolder()
        _ = try await folder.store(
            "old.sqlite",
            lines(20_000).replacing("{\"$id\"", with: "{\"$entity\":\"Thing\",\"$id\"")
        )
        #expect(try folder.names().allSatisfy { !$0.hasSuffix("-wal") })
        return folder
    }

    /// Copies the large store into a folder.
    private func largeStore(in folder: ExchangeFolder) async throws -> String {
        let store = folder.path("old.sqlite")
        try await FileManager.default.copyItem(atPath: Self.large.value.path("old.sqlite"), toPath: store)
        return store
    }

    @Test("An interrupted export leaves no file")
    func interruptedExport() async throws {
        let folder = try ExchangeFolder()
        let store = try await largeStore(in: folder)
        let result = try await interrupt(["export", store, "-o", folder.path("all.jsonl")], SIGINT)
        expectEqual(result.status, 130)
        try expectEqual(folder.names(), ["Model.xcdatamodel", "old.sqlite"])
    }

    @Test("An interrupted fetch from a store with a log removes its copy of the store", arguments: [SIGINT, SIGHUP])
    func interruptedFetch(number: Int32) async throws {
        let folder = try ExchangeFolder()
        let store = try await largeStore(in: folder)
        let connection = try Connection(path: store)
        try connection.execute(
            "PRAGMA wal_autocheckpoint = 0; UPDATE ZBOX SET ZNAME = 'x'; INSERT INTO ZTAG(Z_PK) VALUES(1)"
        )
        let scratch = folder.url.appending(path: "scratch")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        // A program that nohup started ignores hangups, and so would the command.
        let handler = signal(number, SIG_DFL)
        defer { signal(number, handler) }
        let command = try TerminalCommand(
            ["store", "fetch", store, "Thing", "--json"],
            environment: ["TMPDIR": scratch.path],
            interruption: (number, "$id")
        )
        #expect(await command.finish().status == 130)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
        connection.close()
    }

    @Test("An import killed at any moment leaves none of its rows in the store")
    func killed() async throws {
        let folder = try ExchangeFolder()
        let file = try folder.write(Self.lines(10_000), "Thing.jsonl")
        let store = try await folder.store("old.sqlite", "{\"$entity\":\"Thing\",\"name\":\"before\"}\n")
        var rows = 1
        for time in ["0.1", "0.3", "0.6"] {
            let run = try await Command.shell(
                "timeout -s KILL \(time) \(Command.url.path) store import \(store) \(file)"
            )
            let count = try await folder.run("count", store, "Thing").output
            // A fast machine may end the import before it is killed.
            if count != "\(rows)\n" || run.status == 0 { rows += 10_000 }
            expectEqual(count, "\(rows)\n")
            try await folder.check(store)
        }
    }
}
