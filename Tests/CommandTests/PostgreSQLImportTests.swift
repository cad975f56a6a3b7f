// Tests `managedgraph store import` into existing stores in databases: the same rules as for a SQLite store,
// and nothing half done.
import ExpectationSupport
import Foundation
import PostgreSQLSupport
import Testing

@Suite(
    "PostgreSQL: managedgraph store import",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed")
)
struct PostgreSQLImportTests {
    private static let first = """
        {"$id":"Box/p1","$entity":"Box","name":"one","things":["Machine/p7","Thing/p2"]}
        {"$id":"Box/p3","$entity":"Box","name":"","things":["Thing/p5"]}
        {"$id":"Tag/p1","$entity":"Tag","name":"é","things":["Thing/p5","Thing/p2"]}
        {"$id":"Thing/p2","$entity":"Thing","name":"first","uid":"11111111-2222-3333-4444-555555555555","flag":true,\
        "box":"Box/p1","twin":"Thing/p5","tags":["Tag/p1"],"friends":["Thing/p5","Machine/p7"]}
        {"$id":"Thing/p5","$entity":"Thing","name":" 2nd ","real":1e308,"box":"Box/p3","twin":"Thing/p2","tags":["Tag/p1"]}
        {"$id":"Machine/p7","$entity":"Machine","name":"third","power":5e-324,"box":"Box/p1","maker":"Box/p3"}

        """

    private let folder: ExchangeFolder
    /// The address of a store with the first lines, and its schema.
    private let address: String
    private let schema: String
    private let server: PostgreSQLServer

    init() async throws {
        folder = try ExchangeFolder()
        server = try PostgreSQLServer.shared()
        schema = try server.makeSchema()
        address = server.address("postgres", "schema=\(schema)")
        let file = try folder.write(Self.first, "first.jsonl")
        let result = try await folder.run("import", address, file, "--model", folder.model)
        expectEqual(result.status, 0, "\(result.errors)")
    }

    private func importing(_ lines: String, _ options: String..., name: String = "in.jsonl") async throws -> Command {
        let file = try folder.write(lines, name)
        return try await Command.run(["import", address, file, "--json"] + options, of: "store")
    }

    private func count(_ table: String) throws -> String? {
        try server.execute("SELECT count(*) FROM \(schema).\"\(table)\"").first?.first ?? nil
    }

    @Test("Rows are added with their relationships to each other and to rows that are there, in one transaction")
    func added() async throws {
        let uri = try await folder.run("fetch", address, "Box", "name == 'one'", "--json")
        let box = try #require(uri.objects.first?["$id"] as? String)
        let result = try await importing(
            """
            {"$id":"a","$entity":"Thing","name":"alpha","box":"\(box)","tags":["t2","t1"],"friends":["b"],"twin":"b",\
            "price":"1234567890.123456789","made":"2026-11-21T18:00:00.123456Z","data":"AAEC","place.street":"Main"}
            {"$id":"b","$entity":"Machine","name":"beta","maker":"\(box)","friends":["a"]}
            {"$id":"t1","$entity":"Tag","name":"t1"}
            {"$id":"t2","$entity":"Tag","name":"t2","things":["b","a"]}

            """
        )
        let report = try #require(result.objects.first, "\(result.errors)")
        expectEqual(report["saved"] as? Bool, true, "\(result.output)")
        expectEqual(report["inserted"] as? Int, 4, "\(result.output)")
        expectEqual(report["completed"] as? [String: Int], ["Machine.twin": 1], "\(result.output)")
        let check = try await folder.run("check", address)
        expectEqual(check.status, 0, "\(check.output)")
        let rows = try await folder.run(
            "fetch",
            address,
            "Thing",
            "name IN {'alpha', 'beta'}",
            "--sort",
            "name",
            "--columns",
            "name,box.name,twin.name,price,place.street,upper,made",
            "--csv"
        )
        let lines = rows.output.split(separator: "\n").dropFirst()
        expectEqual(
            lines,
            [
                "alpha,one,beta,1234567890.123456789,Main,ALPHA,2026-11-21T18:00:00.123456Z", "beta,,alpha,,,BETA,",
            ],
            "\(rows.output)\(rows.errors)"
        )
        let tags = try await folder.run(
            "fetch",
            address,
            "Tag",
            "SUBQUERY(things, $t, $t.name == 'alpha').@count > 0",
            "--sort",
            "name",
            "--columns",
            "name",
            "--csv"
        )
        expectEqual(tags.output, "name\nt1\nt2\n", "\(tags.output)\(tags.errors)")
        let order = try await folder.run("fetch", address, "Box", "name == 'one'", "--json")
        let members = try #require(order.objects.first?["things"] as? [String])
        expectEqual(members.count, 3)
        expectEqual(order.objects.first?["count"] as? Int, 3)
        let history = try await folder.run("history", address, "--json")
        expectEqual(history.objects.count, 1, "\(history.output)")
        let changes = try #require(history.objects.first?["changes"] as? [[String: Any]])
        expectEqual(changes.filter { $0["type"] as? String == "insert" }.count, 4, "\(history.output)")
        expectEqual(history.objects.first?["context"] as? String, "import")
    }

    @Test("A table is imported too, and keys of new rows are those that the database gives")
    func tables() async throws {
        let result = try await importing("name,flag,price\r\nAnn,yes,1.5\r\n\"Bo\"\"b\",0,\r\n", name: "Thing.csv")
        expectEqual(result.objects.first?["inserted"] as? Int, 2, "\(result.errors)")
        try server.execute(
            "INSERT INTO \(schema).\"Thing\" (_entity, name, upper) SELECT _entity, 'other', 'OTHER' FROM \(schema).\"Thing\" WHERE name = 'first'"
        )
        let again = try await importing("name\nCy\n", name: "Thing.csv")
        expectEqual(again.status, 0, "\(again.errors)")
        try expectEqual(count("Thing"), "7")
        let check = try await folder.run("check", address)
        expectEqual(check.status, 0, "\(check.output)\(check.errors)")
    }

    @Test("A line that is refused while it updates a row leaves nothing in the history")
    func refusedUpdate() async throws {
        // Another row has the unique value of the first line.
        let result = try await importing(
            """
            {"name":" 2nd ","uid":"11111111-2222-3333-4444-555555555555"}
            {"name":"first","real":2}

            """,
            "--entity",
            "Thing",
            "--update-by",
            "name",
            "--skip-refused"
        )
        expectEqual(result.objects.first?["refused"] as? Int, 1, "\(result.output)\(result.errors)")
        expectEqual(result.objects.first?["updated"] as? Int, 1, "\(result.output)\(result.errors)")
        let history = try await folder.run("history", address, "--json")
        let changes = try #require(history.objects.first?["changes"] as? [[String: Any]])
        expectEqual(changes.count, 1, "\(history.output)")
    }

    /// Lines that are refused, each with its place and the reason.
    private static let refused = [
        ("{\"name\":\"ok\"", "3: ", "it is not JSON"), ("{\"nmae\":\"x\"}", "3: nmae: ", "Did you mean name?"),
        ("{\"name\":\"x\"}", "3: ", "name is too short"), ("{}", "3: ", "name is required"),
        ("{\"name\":\"ok\",\"box\":\"Box/p77\"}", "3: box: ", "neither the files nor the store have"),
        ("{\"name\":\"ok\",\"uid\":\"11111111-2222-3333-4444-555555555555\"}", "3: ", "is there already"),
        ("{\"name\":\"ok\",\"text\":\"a\\u0000b\"}", "3: ", "U+0000"),
        ("{\"$entity\":\"Machine\",\"name\":\"ok\"}", "3: maker: ", "must have related objects"),
        ("{\"name\":\"ok\",\"twin\":\"Thing/p2\"}", "3: twin: ", "whose twin is another object"),
    ]

    @Test("An error in a line is reported with its number, property and reason, and nothing is imported")
    func refusals() async throws {
        let before = try await folder.run("export", address)
        for (line, place, reason) in Self.refused {
            try await folder.expectRefusal(of: line, by: address, at: place, reason: reason)
            try expectEqual(count("_transaction"), "0", "\(line)")
        }
        #expect(try await folder.run("export", address).output == before.output)
    }

    @Test("With --skip-refused the other lines are imported, and the history has only their rows")
    func skipping() async throws {
        let lines = (0..<600).map {
            "{\"$entity\":\"Thing\",\"name\":\"thing \($0)\",\"uid\":\"00000000-0000-0000-0000-\(String(format: "%012d", $0 % 500))\"}"
        }
        let result = try await importing(lines.joined(separator: "\n"), "--skip-refused")
        let report = try #require(result.objects.first, "\(result.errors)")
        expectEqual(report["inserted"] as? Int, 500, "\(result.errors)")
        expectEqual(report["refused"] as? Int, 100, "\(result.errors)")
        try expectEqual(count("Thing"), "503")
        let history = try await folder.run("history", address, "--json")
        expectEqual((history.objects.first?["changes"] as? [Any])?.count, 500)
        let check = try await folder.run("check", address)
        expectEqual(check.status, 0, "\(check.output)\(check.errors)")
    }

    @Test("--update-by changes existing rows, also those of the same file, and leaves no index behind")
    func updating() async throws {
        let indexes = try server.execute("SELECT indexname FROM pg_indexes WHERE schemaname = '\(schema)' ORDER BY 1")
        let lines = """
            {"$entity":"Thing","name":" 2nd ","large":5,"tags":["new"],"box":null}
            {"$entity":"Thing","name":"fresh","large":1}
            {"$entity":"Thing","name":"fresh","large":2}
            {"$id":"new","$entity":"Tag","name":"new"}

            """
        let result = try await importing(lines, "--update-by", "name")
        let report = try #require(result.objects.first, "\(result.errors)")
        expectEqual(report["inserted"] as? Int, 2, "\(result.output)\(result.errors)")
        expectEqual(report["updated"] as? Int, 2, "\(result.output)\(result.errors)")
        let rows = try await folder.run("fetch", address, "Thing", "large > 0", "--sort", "large", "--json")
        expectEqual(rows.objects.map { $0["large"] as? Int }, [2, 5])
        let changed = try #require(rows.objects.last)
        #expect(changed["box"] is NSNull)
        expectEqual(changed["real"] as? Double, 1e308)
        expectEqual((changed["tags"] as? [String])?.count, 1)
        let check = try await folder.run("check", address)
        expectEqual(check.status, 0, "\(check.output)\(check.errors)")
        try expectEqual(
            server.execute("SELECT indexname FROM pg_indexes WHERE schemaname = '\(schema)' ORDER BY 1"),
            indexes
        )
    }

    @Test("A user who may write rows and not create indexes imports with --update-by too")
    func withoutIndexes() async throws {
        try server.execute(
            """
            CREATE ROLE "w_\(schema)" LOGIN; GRANT USAGE ON SCHEMA \(schema) TO "w_\(schema)";
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO "w_\(schema)";
            GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA \(schema) TO "w_\(schema)"
            """
        )
        let file = try folder.write("{\"$entity\":\"Thing\",\"name\":\"first\",\"large\":9}\n", "in.jsonl")
        let other = address.replacing("//\(PostgreSQLServer.user)@", with: "//w_\(schema)@")
        let result = try await folder.run("import", other, file, "--update-by", "name", "--json")
        expectEqual(result.objects.first?["updated"] as? Int, 1, "\(result.errors)")
    }

    @Test("A check while another save runs in the database finds no problem in the history that waits for it")
    func checkedMeanwhile() async throws {
        // In a database of its own: the histories of other tests would wait too.
        let (server, database) = (server, try server.makeDatabase())
        let address = server.address(database)
        let first = folder.path("first.jsonl")
        #expect(try await folder.run("import", address, first, "--model", folder.model).status == 0)
        let other = Thread {
            // Ended by the test.
            _ = try? server.execute(
                "BEGIN; LOCK TABLE _transaction IN ROW EXCLUSIVE MODE; SELECT pg_current_xact_id(); SELECT pg_sleep(60)",
                in: database
            )
        }
        other.start()
        let find = "FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = '\(database)'"
        while try server.execute("SELECT pid \(find)").isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        let file = try folder.write("{\"$entity\":\"Tag\",\"name\":\"late\"}\n", "late.jsonl")
        let result = try await folder.run("import", address, file)
        expectEqual(result.status, 0, "\(result.errors)")
        let check = try await folder.run("check", address)
        try server.execute("SELECT pg_terminate_backend(pid) \(find)")
        expectEqual(check.status, 0, "\(check.output)\(check.errors)")
        #expect(check.output.contains(", 0 transactions"), "\(check.output)\(check.errors)")
        let later = try await folder.run("check", address)
        expectEqual(later.status, 0, "\(later.output)\(later.errors)")
        #expect(later.output.contains(", 1 transactions"), "\(later.output)\(later.errors)")
    }

    @Test("SQL and a wrong model are refused, with the remedy")
    func otherFormats() async throws {
        let script = try await folder.run("import", address, try folder.write("SELECT 1;\n", "a.sql"))
        expectEqual(script.status, 1, "\(script.errors)")
        #expect(script.errors.contains("managedgraph store copy"), "\(script.errors)")
        let sample = try SampleStore()
        let wrong = try await folder.run("import", address, folder.path("first.jsonl"), "--model", sample.model.path)
        expectEqual(wrong.status, 1, "\(wrong.errors)")
        #expect(wrong.errors.contains("is not the one the store was made with"), "\(wrong.errors)")
    }
}
