// Tests `managedgraph store fetch` and `count`: rows by a predicate, in every form, the query plan, and invalid
// requests. The store is read only.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@testable import ManagedGraphCommand

@Suite("managedgraph store fetch, count")
struct StoreFetchTests {
    private let sample: SampleStore

    init() throws { sample = try SampleStore() }

    private func run(_ arguments: String...) async throws -> Command {
        try await Command.run(
            [arguments[0], sample.store.path] + arguments.dropFirst() + ["--model", sample.model.path],
            of: "store"
        )
    }

    @Test("Rows are written as JSON with all their properties, in the requested order, and the store is unchanged")
    func json() async throws {
        let before = try sample.content()
        let result = try await run(
            "fetch",
            "Item",
            "size >= 2 AND owner.name == 'owner 1'",
            "--sort",
            "-size",
            "--json"
        )
        expectEqual(result.status, 0, "\(result.errors)")
        #expect(result.errors.isEmpty, "\(result.errors)")
        expectEqual(result.objects.map { $0["size"] as? Int }, [3, 2])
        let first = try #require(result.objects.first)
        expectEqual(first["$entity"] as? String, "Special")
        expectEqual(first["title"] as? String, "item 1.3")
        expectEqual((first["$id"] as? String)?.hasPrefix("x-coredata://"), true)
        expectEqual((first["owner"] as? String)?.contains("/Owner/p"), true)
        expectEqual((first["tags"] as? [String])?.count, 1)
        #expect(first["extra"] is NSNull)
        expectEqual(first["flag"] as? Bool, true)
        expectEqual((first["photo"] as? String).flatMap { Data(base64Encoded: $0) }, Data(repeating: 7, count: 10))
        expectEqual((first["made"] as? String)?.hasSuffix("Z"), true)
        let large = try await run("fetch", "Item", "size == 1", "--json", "--limit", "1")
        expectEqual((large.objects.first?["photo"] as? String)?.count, 266_668)
        try expectEqual(sample.content(), before)
    }

    @Test("Limits, offsets, columns of related objects, distinct values and counts match those of a fetch")
    func choices() async throws {
        let part = try await run(
            "fetch",
            "Item",
            "--sort",
            "size,-title",
            "--limit",
            "2",
            "--offset",
            "1",
            "--columns",
            "title,owner.name",
            "--csv"
        )
        expectEqual(part.output, "title,owner.name\nitem 1.1,owner 1\nitem 2.2,owner 2\n", "\(part.errors)")
        let distinct = try await run(
            "fetch",
            "Item",
            "--columns",
            "owner.name",
            "--distinct",
            "--sort",
            "owner.name",
            "--json"
        )
        expectEqual(
            distinct.output,
            "{\"owner.name\":\"owner 1\"}\n{\"owner.name\":\"owner 2\"}\n",
            "\(distinct.errors)"
        )
        let own = try await run("fetch", "Owner", "--columns", "name,items", "--json", "--sort", "name", "--limit", "1")
        let first = try #require(own.objects.first, "\(own.errors)")
        expectEqual(Set(first.keys), ["name", "items"])
        expectEqual((first["items"] as? [String])?.count, 3)
        let dates = try await run("fetch", "Item", "made > CAST(700000000, 'NSDate')", "--count")
        expectEqual(dates.output, "6\n", "\(dates.errors)")
        #expect(try await run("fetch", "Item", "size > 1", "--count").output == "4\n")
        #expect(try await run("fetch", "Item", "--columns", "owner.name", "--distinct", "--count").output == "2\n")
        #expect(try await run("fetch", "Item", "--limit", "0").output.isEmpty)
        let head = try await run("fetch", "Item", "--limit", "0", "--csv", "--columns", "title,size")
        expectEqual(head.output, "title,size\n")
        #expect(try await run("fetch", "Itme", "--limit", "0").errors.contains("Itme"))
        #expect(try await run("count", "Item", "size == 3").output == "2\n")
        let all = try await run("count", "--json")
        expectEqual(all.objects.map { $0["count"] as? Int }, [2, 4, 2, 2, 1])
        expectEqual(all.objects.map { $0["entity"] as? String }, ["Badge", "Item", "Owner", "Special", "Tag"])
    }

    @Test("Output without a format is a table: cut to the width of a terminal, whole in a pipe")
    func table() async throws {
        let pipe = try await run("fetch", "Owner", "--columns", "name,count")
        expectEqual(pipe.output, "name     count\nowner 1      3\nowner 2      3\n", "\(pipe.output)")
        let arguments = ["store", "fetch", sample.store.path, "Item", "--model", sample.model.path]
        let narrow = try await TerminalCommand(arguments, environment: ["NO_COLOR": "1"], width: 110).finish()
        let lines = narrow.screen.split(whereSeparator: \.isNewline)
        expectEqual(lines.count, 7, "\(narrow.screen)")
        expectEqual(narrow.status, 0, "\(narrow.screen)")
        #expect(lines.allSatisfy { $0.count <= 110 } && narrow.screen.contains("…"))
        // If the columns do not fit side by side, they are stacked.
        let tall = try await TerminalCommand(arguments + ["--limit", "1"], environment: ["NO_COLOR": "1"], width: 40)
            .finish()
        let blocks = tall.screen.split(whereSeparator: \.isNewline)
        #expect(
            blocks.allSatisfy { $0.count <= 40 } && blocks.contains { $0.hasPrefix("title  item ") },
            "\(tall.screen)"
        )
        let wide = try await TerminalCommand(arguments, width: 400).finish()
        #expect(wide.screen.contains("\u{1B}[1mtitle\u{1B}[0m") && wide.screen.contains("200000 bytes"))
    }

    @Test("--explain shows the SQL, its values, SQLite's plan and the number of rows visited")
    func explanation() async throws {
        let scan = try await run("fetch", "Item", "title CONTAINS 'zzz'", "--sort", "title", "--explain", "--json")
        let facts = try #require(scan.objects.first, "\(scan.errors)")
        expectEqual((facts["sql"] as? String)?.contains("FROM ZITEM"), true)
        expectEqual(facts["rows"] as? Int, 0)
        expectEqual(facts["bindings"] as? [String], ["'zzz'"])
        expectEqual(facts["scanned"] as? Int, 5)
        let steps = facts["steps"] as? [String] ?? []
        #expect(steps.contains { $0.hasPrefix("reads all rows of t0") }, "\(steps)")
        #expect(steps.contains("sorts the rows found, as no index has this order"), "\(steps)")
        let unique = try await run(
            "fetch",
            "Item",
            "uid == CAST('0A8C9C1E-6A1C-4D55-9D06-5D5B0F3C7A11', 'NSUUID')",
            "--explain"
        )
        expectEqual(unique.status, 0, "\(unique.errors)")
        #expect(unique.output.contains("searches t0 by the index Z_Item_UNIQUE_uid"), "\(unique.output)")
        let text = try await run("fetch", "Item", "owner == nil", "--explain")
        #expect(text.output.contains("searches t0 by the index ZITEM_ZOWNER_INDEX"), "\(text.output)")
        #expect(text.output.contains("Query plan") && text.output.contains("0 in the result"))
    }

    @Test(
        "An unknown name is reported with the nearest one, and an invalid predicate with the position",
        arguments: [
            (["Itme"], "Did you mean Item?"), (["Item", "titel == 'x'"], "The nearest existing name is \"title\""),
            (["Item", "--sort", "titel"], "The nearest existing name is \"title\""),
            (["Item", "--columns", "owner.nme"], "The nearest existing name is \"name\""),
            (["Item", "size == == 3"], "at character 8: "), (["Item", "size ="], "Expected an expression."),
            (["Item", "size == %d"], "character 8"), (["Item", "size == $x"], "$x"),
        ]
    )
    func wrong(arguments: [String], reason: String) async throws {
        let result = try await Command.run(
            ["fetch", sample.store.path] + arguments + ["--model", sample.model.path],
            of: "store"
        )
        expectEqual(result.status, 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix(sample.store.path + ": ") && result.errors.contains(reason), "\(result.errors)")
    }

    @Test("Flags that exclude each other, and negative numbers, are wrong usage")
    func usage() async throws {
        for arguments in [["--json", "--csv"], ["--distinct"], ["--limit", "-1"], ["--csv", "--count"]] {
            let result = try await Command.run(["fetch", sample.store.path, "Item"] + arguments, of: "store")
            expectEqual(result.status, 64, "\(arguments)")
        }
    }

    @Test("A reader that closes the pipe ends a fetch, and no copy of the store is left")
    func closedPipe() async throws {
        let result = try await Command.shell(
            "cd \(sample.folder.path) && TMPDIR=$PWD \(Command.url.path) store fetch Store.sqlite Item --json --model "
                + "Model.xcdatamodel | head -c 10; echo; echo ${PIPESTATUS[0]}; ls -A"
        )
        #expect(result.errors.isEmpty && result.output.contains("\n0\n"), "\(result.output)\(result.errors)")
        #expect(!result.output.contains("still-"))
    }

    @Test("Stores that are not databases are fetched from, counted and exported too", arguments: ["XML", "Binary"])
    func otherTypes(type: String) async throws {
        let place = sample.folder.appending(path: "Other.store")
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(readingFrom: sample.model)
        )
        let opened = try coordinator.addPersistentStore(type: .sqlite, at: sample.store)
        let moved = try coordinator.migratePersistentStore(opened, to: place, options: nil, withType: type)
        try coordinator.remove(moved)
        let arguments = [place.path, "Item", "size == 3", "--json", "--model", sample.model.path]
        let rows = try await Command.run(["fetch"] + arguments, of: "store")
        expectEqual(rows.objects.count, 2, "\(rows.errors)")
        expectEqual(rows.status, 0, "\(rows.errors)")
        let export = try await Command.run(["export", place.path, "--model", sample.model.path], of: "store")
        expectEqual(export.objects.count, 11, "\(export.errors)")
        let sql = try await Command.run(
            ["export", place.path, "--model", sample.model.path, "--format", "sql"],
            of: "store"
        )
        expectEqual(sql.status, 1)
        #expect(sql.errors.contains("Export it as JSON lines"))
    }
}
