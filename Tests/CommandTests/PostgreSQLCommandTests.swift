// Tests of the commands for stores with addresses of databases in place of files.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: managedgraph store", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLCommandTests {
    private func store(_ arguments: String...) async throws -> Command {
        try await Command.run(arguments, of: "store")
    }

    /// The address of a schema that does not exist, and its name.
    private func place(_ server: PostgreSQLServer) throws -> (address: String, schema: String) {
        let schema = try server.makeSchema()
        return (server.address("postgres", "schema=\(schema)"), schema)
    }

    @Test("A store goes into a database, to another schema and back, and each object stays the same")
    func copied() async throws {
        let sample = try SampleStore()
        let server = try PostgreSQLServer.shared()
        let (first, second) = (try place(server).address, try place(server).address)
        let back = sample.folder.appending(path: "Back.sqlite").path
        for (from, to) in [(sample.store.path, first), (first, second), (second, back)] {
            let copy = try await store("copy", from, to, "--json")
            expectEqual(copy.status, 0, "\(copy.errors)")
            expectEqual(copy.objects.first?["objects"] as? Int, 11)
            let comparison = try await store("compare", from, to, "--json")
            expectEqual(comparison.objects.first?["equal"] as? Bool, true, "\(comparison.output)")
            expectEqual(comparison.objects.first?["objects"] as? Int, 11)
            let check = try await store("check", to)
            expectEqual(check.status, 0, "\(check.output)")
            #expect(check.output.contains("ok (11 objects of 5 entities"), "\(check.output)")
        }
        let again = try await store("copy", sample.store.path, first)
        expectEqual(again.status, 1, "\(again.errors)")
        #expect(again.errors.contains("has a store already"), "\(again.errors)")
        try server.execute("UPDATE \(try schema(of: first)).\"Owner\" SET name = 'other' WHERE _id = 1")
        let changed = try await store("compare", sample.store.path, first)
        expectEqual(changed.status, 1)
        #expect(changed.output.contains("Owner/p1: name is \"owner"), "\(changed.output)")
        let missing = try await store("compare", first, sample.store.path, "--json")
        expectEqual(missing.objects.first?["equal"] as? Bool, false)
    }

    private func schema(of address: String) throws -> String {
        try #require(address.components(separatedBy: "schema=").last)
    }

    @Test("Rows are counted, fetched with their plan, exported, and imported into a new schema")
    func exchanged() async throws {
        let sample = try SampleStore()
        let server = try PostgreSQLServer.shared()
        let (address, copy) = (try place(server).address, try place(server).address)
        #expect(try await store("copy", sample.store.path, address).status == 0)
        #expect(try await store("count", address, "Item", "size > 1").output == "4\n")
        let explained = try await store("fetch", address, "Item", "title BEGINSWITH 'item 1'", "--explain")
        #expect(explained.output.contains("FROM \"\(try schema(of: address))\".\"Item\""), "\(explained.errors)")
        #expect(explained.output.contains("Scan"))
        let titles = try await store(
            "fetch",
            address,
            "Item",
            "--sort",
            "title",
            "--columns",
            "title,owner.name",
            "--csv"
        )
        expectEqual(titles.output.split(separator: "\n").count, 7, "\(titles.output)\(titles.errors)")
        let info = try await store("info", address, "--json")
        expectEqual((info.objects.first?["server"] as? String)?.hasPrefix("PostgreSQL "), true, "\(info.output)")
        expectEqual(info.objects.first?["model"] as? String, "cache")
        expectEqual((info.objects.first?["entities"] as? [String: Int])?["Item"], 4)
        #expect((info.objects.first?["size"] as? Int ?? 0) > 100_000)
        #expect(try await store("history", address).status == 0)
        let lines = sample.folder.appending(path: "rows.jsonl").path
        #expect(try await store("export", address, "--output", lines).status == 0)
        let imported = try await store("import", copy, lines, "--model", sample.model.path, "--json")
        expectEqual(imported.objects.first?["inserted"] as? Int, 11, "\(imported.errors)")
        #expect(try await store("count", copy, "Special").output == "2\n")
        let more = try await store("import", copy, lines)
        expectEqual(more.status, 1, "\(more.errors)")
        #expect(more.errors.contains("is there already"), "\(more.errors)")
        let vacuum = try await store("vacuum", copy)
        expectEqual(vacuum.status, 1, "\(vacuum.errors)")
        #expect(vacuum.errors.contains("VACUUM FULL"), "\(vacuum.errors)")
        let script = try await store("export", copy, "--format", "sql")
        expectEqual(script.status, 1, "\(script.errors)")
        #expect(script.errors.contains("managedgraph store copy"), "\(script.errors)")
        let model = try await Command.run(["show", copy], of: "model")
        #expect(model.output.contains("Special"), "\(model.errors)")
    }

    @Test("A check finds each change that was made by hand")
    func damaged() async throws {
        let sample = try SampleStore()
        let server = try PostgreSQLServer.shared()
        let (address, schema) = try place(server)
        #expect(try await store("copy", sample.store.path, address).status == 0)
        try server.execute(
            """
            SET search_path = \(schema); SET session_replication_role = replica;
            DO $$ DECLARE n text; BEGIN
            FOR n IN SELECT conname FROM pg_constraint WHERE conrelid = '"Item"'::regclass AND contype = 'c'
            LOOP EXECUTE format('ALTER TABLE "Item" DROP CONSTRAINT %I', n); END LOOP;
            PERFORM setval('"_keys_Owner"', 9223372036854775807); END $$;
            UPDATE "Item" SET _entity = 99 WHERE _id = 1; UPDATE "Item" SET title = NULL WHERE _id = 2;
            UPDATE "Item" SET owner = 77 WHERE _id = 4; UPDATE "Owner" SET _version = 0 WHERE _id = 1;
            INSERT INTO "Tag" (_id) VALUES (5000); ALTER TABLE "Badge" ADD COLUMN must text NOT NULL DEFAULT 'x';
            ALTER TABLE "Badge" ALTER COLUMN must DROP DEFAULT; DROP INDEX "Item_uid_unique";
            ALTER TABLE "Badge" DROP CONSTRAINT "Badge_owner_fkey";
            DELETE FROM "Item" WHERE _id = 5; UPDATE _entity SET super_number = 3 WHERE name = 'Tag'
            """
        )
        let check = try await store("check", address, "--json")
        expectEqual(check.status, 1)
        let problems = try #require(check.objects.first?["problems"] as? [String])
        for expected in [
            "Item, row 1: the entity number 99", "Item.title, row 2: the property is not optional",
            "Item has no check constraint for Item.title (SELF != nil)", "Item.owner, row 4: it leads to the row 77",
            "Owner, row 1: the version is 0", "Owner: the sequence of its keys is at its end",
            "Tag: the greatest key is 5000", "Badge: the column must, which the model does not have",
            "The index Item_uid_unique is missing. Restore it: CREATE UNIQUE INDEX", "Badge.owner has no foreign key",
            "has no object on this side", "_entity: Tag is below 3 instead of 0",
        ] {
            #expect(problems.contains { $0.contains(expected) }, "\(expected)\n\(problems.joined(separator: "\n"))")
        }
        try server.execute(
            """
            ALTER TABLE \(schema)."Item" DROP COLUMN size; ALTER TABLE \(schema)."Item" ALTER flag TYPE text;
            DROP TABLE \(schema)."Badge" CASCADE
            """
        )
        let columns = try await store("check", address)
        for expected in [
            "Item: the column size is missing. Restore it: ALTER TABLE",
            "the column flag has the type text instead of boolean",
            "The table Badge is missing",
        ] {
            #expect(columns.output.contains(expected), "\(columns.output)")
        }
    }

    @Test("A wrong address names the cause and the remedy, and shows no password")
    func refused() async throws {
        let server = try PostgreSQLServer(authentication: .scram)
        let right = server.address("postgres", password: PostgreSQLServer.password)
        let wrong = server.address("postgres", password: "geheim")
        let sample = try SampleStore()
        let copy = try await store("copy", sample.store.path, right)
        expectEqual(copy.status, 0, "\(copy.errors)")
        #expect(!copy.output.contains("s3cret"), "\(copy.errors)")
        let closed = right.replacing(":\(server.port)/", with: ":1/")
        let cases: [(address: String, texts: [String])] = [
            (wrong, ["password authentication failed", "Check user and password"]),
            (
                server.address("nowhere", password: PostgreSQLServer.password),
                ["\"nowhere\" does not exist", "Create the database"]
            ),
            (right + "?schema=nowhere", ["there is no store in the schema", "Check schema="]),
            (closed, ["Connection refused", "that the server runs"]),
            (right + "?shcema=x", ["there is no parameter shcema"]),
            (right.replacing("s3cret%2Fword", with: "geheim/@x"), ["The address cannot be read", "%40 for @"]),
        ]
        for (address, texts) in cases {
            let commands = address == wrong ? ["info", "check", "count", "history", "export"] : ["info"]
            for command in commands {
                let result = try await store(command, address)
                expectEqual(result.status, 1, "\(command) \(result.output)")
                let shown = result.output + result.errors
                for text in texts { #expect(shown.contains(text), "\(command): \(shown)") }
                #expect(!shown.contains("geheim") && !shown.contains("s3cret"), "\(shown)")
            }
        }
        let other = sample.folder.appending(path: "Other.xcdatamodel")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try Data(
            """
            <?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\
            <entity name="Other"/></model>
            """.utf8
        ).write(to: other.appending(path: "contents"))
        let fetch = try await store("fetch", right, "Item", "--model", other.path)
        expectEqual(fetch.status, 1, "\(fetch.errors)")
        #expect(fetch.errors.contains("is not the one the store was made with"), "\(fetch.errors)")
        #expect(fetch.errors.contains("--model FILE"))
    }

    @Test("An address of several servers leads to the first one that answers")
    func severalServers() async throws {
        let sample = try SampleStore()
        let server = try PostgreSQLServer.shared()
        let address = try place(server).address
        #expect(try await store("copy", sample.store.path, address).status == 0)
        let several = address.replacing("@127.0.0.1:", with: "@127.0.0.1:1,127.0.0.1:")
        let count = try await store("count", several, "Item", "size > 1")
        expectEqual(count.output, "4\n", "\(count.errors)")
    }

    @Test("An address that names a service leads to the server in the service file, and to an error if it is not there")
    func serviceFile() async throws {
        let sample = try SampleStore()
        let server = try PostgreSQLServer.shared()
        let (address, schema) = try place(server)
        let file = sample.folder.appending(path: "services.conf")
        let lines = "[shop]\nhost=127.0.0.1\nport=\(server.port)\nuser=\(PostgreSQLServer.user)\ndbname=postgres\n"
        try Data(lines.utf8).write(to: file)
        func run(_ command: String) async throws -> Command {
            try await Command.shell("PGSERVICEFILE='\(file.path)' '\(Command.url.path)' store \(command)")
        }
        let copy = try await run("copy '\(sample.store.path)' 'postgresql:///?service=shop&schema=\(schema)'")
        expectEqual(copy.status, 0, "\(copy.errors)")
        let count = try await store("count", address, "Item", "size > 1")
        expectEqual(count.output, "4\n", "\(count.errors)")
        let missing = try await run("info 'postgresql:///?service=shpo&schema=\(schema)'")
        expectEqual(missing.status, 1, "\(missing.output)")
        for text in [
            "postgresql:///?service=shpo&schema=\(schema) cannot be opened", "definition of service \"shpo\" not found",
            "Check service= in the address", "PGSERVICEFILE",
        ] {
            #expect(missing.errors.contains(text), "\(missing.errors)")
        }
    }

    @Test("A model is drawn from tables that exist already, and a store with their names can be created")
    func drawn() async throws {
        let server = try PostgreSQLServer.shared()
        let (address, schema) = try place(server)
        try server.execute(
            """
            SET search_path = \(schema); CREATE TYPE mood AS ENUM ('good', 'bad');
            CREATE TABLE categories (category_id serial PRIMARY KEY, description text, CONSTRAINT u UNIQUE (description));
            CREATE TABLE "OrderDetails" (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, "unitPrice" numeric NOT NULL \
            DEFAULT 1.5, quantity smallint DEFAULT 3, note varchar(20) DEFAULT 'none', mark text DEFAULT 'a::b', \
            made timestamptz, tags text[], feeling mood, category_id int NOT NULL REFERENCES categories ON DELETE CASCADE, \
            "parentId" bigint REFERENCES \
            "OrderDetails" ON DELETE SET NULL, code uuid, raw bytea, is_open boolean DEFAULT true);
            CREATE INDEX ON "OrderDetails" (made DESC, quantity); COMMENT ON TABLE categories IS 'Kinds of things';
            CREATE TABLE labels (id int PRIMARY KEY, name text NOT NULL);
            CREATE TABLE order_labels (order_id bigint REFERENCES "OrderDetails", label_id int REFERENCES labels, at timestamptz \
            DEFAULT now(), PRIMARY KEY (order_id, label_id));
            CREATE TABLE countries (code text PRIMARY KEY)
            """
        )
        let folder = FileManager.default.temporaryDirectory.appending(path: "drawn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Drawn.xcdatamodeld").path
        let drawn = try await Command.run(["import", address, file, "--json"], of: "model")
        expectEqual(drawn.status, 0, "\(drawn.errors)")
        let notes = try #require(drawn.objects.first?["notes"] as? [String])
        for expected in [
            "tags is left out", "feeling is drawn as a String", "labels: the key id has neither",
            "countries: objects need",
            "order_labels is drawn as the relationship", "use the configuration ExistingTables",
        ] {
            #expect(notes.contains { $0.contains(expected) }, "\(notes)")
        }
        expectEqual(notes.count, 6)
        #expect(try await Command.run(["check", file], of: "model").status == 0)
        let versions = try ModelFile.listVersions(at: URL(filePath: file))
        let model = try ModelFile.examine(try #require(versions.versions.first), of: versions).model
        expectEqual(model.entities.map(\.name).sorted(), ["Category", "Country", "Label", "OrderDetail"])
        expectEqual(model.configurations.map(\.entityNames), [["Category", "Label", "OrderDetail"]])
        let detail = try #require(model.entity(named: "OrderDetail"))
        expectEqual(detail.userInfo, ["SQLTable": "OrderDetails", "SQLKeyColumn": "id"])
        let properties = Dictionary(uniqueKeysWithValues: detail.properties.map { ($0.name, $0) })
        guard case .attribute(let price)? = properties["unitPrice"], case .attribute(let note)? = properties["note"],
            case .attribute(let mark)? = properties["mark"],
            case .attribute(let open)? = properties["isOpen"],
            case .relationship(let category)? = properties["category"],
            case .relationship(let parent)? = properties["parent"],
            case .relationship(let labels)? = properties["labels"]
        else {
            Issue.record("\(properties.keys.sorted())")
            return
        }
        #expect(
            price.type == .decimal && !price.common.isOptional
                && price.defaultValue == .decimal(Decimal(string: "1.5")!)
        )
        expectEqual(note.defaultValue, .string("none"))
        expectEqual(mark.defaultValue, .string("a::b"))
        expectEqual(note.common.validations.map(\.predicateFormat), ["length <= 20"])
        expectEqual(open.common.userInfo["SQLColumn"], "is_open")
        expectEqual(open.defaultValue, .boolean(true))
        #expect(!category.common.isOptional)
        expectEqual(category.inverseName, "orderDetails")
        expectEqual(category.common.userInfo["SQLColumn"], "category_id")
        expectEqual(parent.destinationEntityName, "OrderDetail")
        expectEqual(parent.inverseName, "orderDetails")
        #expect(labels.isToMany)
        expectEqual(labels.common.userInfo, ["SQLTable": "order_labels", "SQLColumn": "label_id"])
        expectEqual(detail.indexes.map { $0.elements.map(\.isAscending) }, [[false, true]])
        let kind = try #require(model.entity(named: "Category"))
        expectEqual(kind.userInfo["comment"], "Kinds of things")
        expectEqual(kind.uniquenessConstraints, [["descriptionValue"]])
        guard case .relationship(let members)? = kind.properties.first(where: { $0.name == "orderDetails" }) else {
            Issue.record("\(kind.properties.map(\.name))")
            return
        }
        expectEqual(members.deleteRule, .cascade)
        #expect(members.isToMany)
        // The names of the model's user info are those of the tables again.
        let (copy, other) = try place(server)
        let empty = folder.appending(path: "empty.jsonl").path
        try Data().write(to: URL(filePath: empty))
        let creation = try await store("import", copy, empty, "--model", file)
        expectEqual(creation.status, 0, "\(creation.errors)")
        let columns = try server.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = '\(other)' AND table_name = 'order_labels'"
        )
        expectEqual(Set(columns.compactMap(\.first)), ["order_id", "label_id"])
        let again = try await Command.run(["import", copy, file, "--force"], of: "model")
        expectEqual(again.status, 1, "\(again.errors)")
        #expect(again.errors.contains("contains a store"), "\(again.errors)")
    }

    @Test("A store in a database is migrated at once, or by way of two versions side by side")
    func migrated() async throws {
        let sample = try VersionedStore()
        let server = try PostgreSQLServer.shared()
        func migrate(_ address: String, _ arguments: String...) async throws -> Command {
            try await Command.run([address, "--to", sample.model.path] + arguments, of: "migrate")
        }
        let first = sample.model.appending(path: "Tasks.xcdatamodel").path
        for steps in [[""], ["--expand", "--contract"], ["--expand", "--abandon", ""]] {
            let address = try place(server).address
            #expect(try await store("copy", sample.store.path, address, "--model", first).status == 0)
            let plan = try await migrate(address, "--plan")
            expectEqual(plan.status, 0, "\(plan.errors)")
            #expect(plan.output.contains("Tasks → Tasks 2"), "\(plan.errors)")
            let backup = try await migrate(address, "--backup", "/nowhere/Old.sqlite")
            expectEqual(backup.status, 1, "\(backup.errors)")
            #expect(backup.errors.contains("pg_dump"), "\(backup.errors)")
            for step in steps {
                let run = step.isEmpty ? try await migrate(address) : try await migrate(address, step)
                expectEqual(run.status, 0, "\(step): \(run.errors)")
                #expect(run.output.contains("Tasks 2"), "\(run.output)")
            }
            let ranked = try await store("count", address, "Task", "rank == 3")
            expectEqual(ranked.output, "3\n", "\(steps): \(ranked.errors)")
            let again = try await migrate(address, "--json")
            expectEqual(again.objects.first?["migrated"] as? Bool, false, "\(again.errors)")
        }
        let file = try await migrate(sample.store.path, "--expand")
        #expect(file.status != 0 && file.errors.contains("addresses of databases"), "\(file.errors)")
    }

    @Test("A plan and a rehearsal say the same of a store in a database as of a file, and write nothing")
    func planned() async throws {
        let sample = try VersionedStore()
        let server = try PostgreSQLServer.shared()
        let (address, schema) = try place(server)
        let first = sample.model.appending(path: "Tasks.xcdatamodel").path
        #expect(try await store("copy", sample.store.path, address, "--model", first).status == 0)
        let secret = address.replacing("\(PostgreSQLServer.user)@", with: "\(PostgreSQLServer.user):geheim@")
        let before = try server.execute("SELECT xmin, * FROM \(schema).\"Task\" ORDER BY _id")
        for mode in ["--plan", "--dry-run"] {
            let text = try await Command.run([secret, "--to", sample.model.path, mode], of: "migrate")
            expectEqual(text.status, 0, "\(text.errors)")
            #expect(text.output.contains("Tasks → Tasks 2"), "\(text.errors)")
            #expect(!text.output.contains("geheim"), "\(text.output)")
            let expected =
                mode == "--plan"
                ? [
                    "+ rank: Integer 16, required, default 3", "of the store's own database.",
                    "\"Task\" ADD COLUMN \"rank\"",
                ]
                : [
                    "+ rank: 3", "3 objects before, 3 afterwards, 3 of them changed",
                    "Every object is there afterwards.",
                ]
            for part in expected { #expect(text.output.contains(part), "\(text.output)") }
            let json = try await Command.run([address, "--to", sample.model.path, mode, "--json"], of: "migrate")
            let file = try await Command.run(
                [sample.store.path, "--to", sample.model.path, mode, "--json"],
                of: "migrate"
            )
            expectEqual(Self.comparable(json.objects), Self.comparable(file.objects), "\(json.output)\n\(file.output)")
        }
        try expectEqual(server.execute("SELECT xmin, * FROM \(schema).\"Task\" ORDER BY _id"), before)
        let left = try server.execute("SELECT nspname FROM pg_namespace WHERE nspname ~ '\(schema)($|\\D)'")
        expectEqual(left.count, 1, "\(left)")
        // After the migration there is nothing to plan.
        #expect(try await Command.run([address, "--to", sample.model.path], of: "migrate").status == 0)
        let done = try await Command.run([address, "--to", sample.model.path, "--plan"], of: "migrate")
        expectEqual(done.status, 0, "\(done.output)\(done.errors)")
        #expect(done.output.contains("nothing to do"), "\(done.output)\(done.errors)")
    }

    /// The lines of a plan or a rehearsal without the place, the type and the SQL of the store.
    private static func comparable(_ objects: [[String: Any]]) -> [NSDictionary] {
        objects.map { object in
            var object = object
            for key in ["store", "type"] { object[key] = nil }
            object["steps"] = (object["steps"] as? [[String: Any]])?
                .map { $0.filter { $0.key != "statements" } }
            return object as NSDictionary
        }
    }
}
