// Runs the store commands on all stores of the collections, sound and damaged: exports can be imported again, no store is
// changed, and no command crashes.
import CollectionSupport
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

@Suite("The collections' stores through the commands")
struct CorpusCommandTests {
    /// Runs a shell command line in a folder.
    private func run(_ line: String, in folder: URL) async throws -> Command {
        try await Command.shell("cd '\(folder.path)' && g() { '\(Command.url.path)' store \"$@\"; }; \(line)")
    }

    @Test(
        "Every store with a model of its own is counted, fetched, exported in each form, and imported into an equal one"
    )
    func all() async throws {
        var (equal, fixtures) = (0, 0)
        let step = 6
        for (number, store) in Collections.sample(.sqliteStore, oneIn: step).enumerated() {
            let copy = try store.copy()
            let folder = copy.deletingLastPathComponent()
            defer { try? FileManager.default.removeItem(at: folder) }
            // The forms take turns.
            let form = [
                "g import x a.jsonl --model s",
                "g export s --format csv -o t; g import x t/*.csv --model s; g fetch s \"$entity\" --csv > f.csv",
                "g export s -o d.sql; g import x d.sql; if command -v sqlite3 > /dev/null; then sqlite3 y < d.sql; "
                    + "g export y -o y.jsonl; cmp a.jsonl y.jsonl; fi",
            ][number % 3]
            try rename(copy, to: "s")
            let before = try Data(contentsOf: folder.appending(path: "s"))
            let count = try await run("g count s --json", in: folder)
            if count.errors.contains("no model to read it with") || count.errors.contains("no store") { continue }
            expectEqual(count.status, 0, "\(store.path): \(count.errors)")
            let entity = try #require(
                count.objects.max { $0["count"] as? Int ?? 0 < $1["count"] as? Int ?? 0 }?["entity"] as? String
            )
            let rows = count.objects.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
            let result = try await run(
                """
                set -e; entity='\(entity)'; g export s -o a.jsonl; \(form)
                g fetch s "$entity" --json > f.jsonl
                g fetch s "$entity" --explain > /dev/null; g fetch s "$entity" --limit 3 > /dev/null
                g export x -o x.jsonl; cmp a.jsonl x.jsonl; g check x > c.txt; wc -l < a.jsonl
                """,
                in: folder
            )
            expectEqual(result.status, 0, "\(store.path): \(result.output.suffix(300))\(result.errors)")
            #expect(result.output.hasSuffix("\(rows)\n"), "\(store.path): \(result.output.suffix(300))\(result.errors)")
            try expectEqual(Data(contentsOf: folder.appending(path: "s")), before, "\(store.path)")
            if store.collection.isFixtures { fixtures += 1 } else { equal += 1 }
        }
        // Most stores contain their model.
        #expect(fixtures >= 7)
        #expect(equal >= Collections.least(20, fixtures: 0, oneIn: step))
    }

    /// Renames a store in its folder, with its log and its external values.
    private func rename(_ store: URL, to name: String) throws {
        let folder = store.deletingLastPathComponent()
        let support = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT"
        let file = store.lastPathComponent
        for (old, new) in [(file, name), (file + "-wal", name + "-wal"), (support, ".\(name)_SUPPORT")] {
            let url = folder.appending(path: old)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            try FileManager.default.moveItem(at: url, to: folder.appending(path: new))
        }
    }

    @Test("Damaged stores are reported or read, and never crash a command")
    func damaged() async throws {
        var random = SystemRandomNumberGenerator()
        for store in Collections.sample(.sqliteStore, oneIn: 6).shuffled().prefix(Collections.takesAllFiles ? 16 : 5) {
            let copy = try store.copy()
            let folder = copy.deletingLastPathComponent()
            defer { try? FileManager.default.removeItem(at: folder) }
            var bytes = try Data(contentsOf: copy)
            for _ in 0..<40 {
                bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try bytes.write(to: folder.appending(path: "s"))
            let result = try await run(
                """
                for c in count export "export --format sql" history check info vacuum; do g $c s > /dev/null; echo $?; done
                """,
                in: folder
            )
            let statuses = result.output.split(separator: "\n").compactMap { Int($0) }
            expectEqual(statuses.count, 7, "\(store.path): \(statuses) \(result.errors.suffix(500))")
            #expect(
                statuses.allSatisfy { $0 == 0 || $0 == 1 },
                "\(store.path): \(statuses) \(result.errors.suffix(500))"
            )
        }
    }
}
