// Tests `managedgraph store export` and `import`: exports and files from other programs are imported, or refused with
// line, property and reason, leaving the store unchanged.
import ExpectationSupport
import Foundation
import GraphSQLite
import GraphSupport
import ManagedGraph
import Testing

@Suite("managedgraph store export, import")
struct StoreExchangeTests {
    private static let photo = Data(repeating: 9, count: 150_000)
    /// Every kind of value, with rare forms; references point forwards and backwards.
    private static let lines = """
        {"$id":"Box/p1","$entity":"Box","name":"one","things":["Machine/p7","Thing/p2"]}
        {"$id":"Box/p3","$entity":"Box","name":"","things":["Thing/p5"]}
        {"$id":"Tag/p1","$entity":"Tag","name":"é\\n\\"\\u0000日本","things":["Thing/p5","Thing/p2"]}
        {"$id":"Tag/p2","$entity":"Tag","name":null,"things":["Thing/p2"]}
        {"$id":"Thing/p2","$entity":"Thing","name":"first, \\"it\\"","text":"","small":-32768,"middle":7,\
        "large":-9223372036854775808,"real":-0.1,"short":0.1,"price":"123456789012345","flag":true,\
        "made":"2026-11-21T18:00:00.123456Z","uid":"11111111-2222-3333-4444-555555555555","link":"https://a.b/c?d=e#f",\
        "data":"","photo":"\(photo.base64EncodedString())","any":"AAEC","place.street":"Main","place.number":3,\
        "box":"Box/p1","twin":"Thing/p5","tags":["Tag/p2","Tag/p1"],"friends":["Thing/p5","Machine/p7"]}
        {"$id":"Thing/p5","$entity":"Thing","name":" 2nd ","text":null,"small":null,"real":1e308,"short":3.4028235e+38,\
        "price":"-0.000000123456789","flag":false,"made":-63114076801.5,"box":"Box/p3","twin":"Thing/p2","tags":["Tag/p1"],\
        "friends":["Thing/p2"]}
        {"$id":"Machine/p7","$entity":"Machine","name":"line\\r\\nline","real":"Infinity","made":"0001-01-02T00:00:00Z",\
        "power":5e-324,"box":"Box/p1","maker":"Box/p3","friends":["Thing/p2","Machine/p7"]}

        """

    @Test("A name of an entity does not lead the tables of an export out of their folder")
    func namesOfTables() async throws {
        let folder = try ExchangeFolder()
        let model = folder.url.appending(path: "Other.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        let attribute = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
        let contents = "<model><entity name=\"../Other\">\(attribute)</entity></model>"
        try Data(contents.utf8).write(to: model.appending(path: "contents"))
        let store = folder.path("other.xml")
        try NSManagedObjectModel(readingFrom: model).withStore(at: URL(filePath: store), type: .xml) { context in
            context.make("../Other", ["name": "a"])
            try context.save()
        }
        let arguments = ["export", store, "--model", model.path, "--format", "csv", "--output", folder.path("Tables")]
        let result = try await Command.run(arguments, of: "store")
        expectEqual(result.status, 1, "\(result.output)")
        #expect(result.errors.contains("../Other"), "\(result.errors)")
        #expect(try !folder.names().contains("Other.csv"))
    }

    @Test("A comparison names what only one of the stores has, though both have the same number of objects")
    func comparison() async throws {
        let folder = try ExchangeFolder()
        var stores: [String] = []
        for (name, removedKey) in [("first.sqlite", 2), ("second.sqlite", 1)] {
            let boxes = ["one", "two"].map { "{\"$entity\":\"Box\",\"name\":\"\($0)\"}\n" }
            let store = try await folder.store(name, boxes.joined())
            let connection = try Connection(path: store)
            try connection.execute("DELETE FROM ZBOX WHERE Z_PK = \(removedKey)")
            connection.close()
            stores.append(store)
        }
        let result = try await folder.run("compare", stores[0], stores[1])
        expectEqual(result.status, 1, "\(result.errors)")
        #expect(result.output.contains("Box/p1 is in the first store only."), "\(result.output)")
        #expect(result.output.contains("Box/p2 is in the second store only."), "\(result.output)")
    }

    @Test(
        "Values of every type, orders and references survive a round trip through JSON lines and CSV"
    )
    func roundTrip() async throws {
        let folder = try ExchangeFolder()
        let first = try await folder.store("first.sqlite", Self.lines)
        try await folder.check(first)
        #expect(try await folder.run("export", first, "--output", folder.path("a.jsonl")).status == 0)
        #expect(
            try await folder.run(
                "import",
                folder.path("second.sqlite"),
                folder.path("a.jsonl"),
                "--model",
                folder.model
            ).status == 0
        )
        try await folder.check(folder.path("second.sqlite"))
        _ = try await folder.run("export", folder.path("second.sqlite"), "--output", folder.path("b.jsonl"))
        try expectEqual(folder.text("a.jsonl"), folder.text("b.jsonl"))
        #expect(try folder.text("a.jsonl").contains("\"price\":\"-0.000000123456789\""))
        #expect(try folder.text("a.jsonl").contains("\"made\":\"2026-11-21T18:00:00.123456Z\""))
        let tables = folder.path("Tables")
        #expect(try await folder.run("export", first, "--format", "csv", "-o", tables).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: tables).sorted()
        expectEqual(files, ["Box.csv", "Machine.csv", "Tag.csv", "Thing.csv"])
        let arguments = ["import", folder.path("third.sqlite")] + files.map { "\(tables)/\($0)" }
        let third = try await Command.run(arguments + ["--model", folder.model], of: "store")
        expectEqual(third.status, 0, "\(third.errors)")
        _ = try await folder.run("export", folder.path("third.sqlite"), "--output", folder.path("c.jsonl"))
        try expectEqual(folder.text("a.jsonl"), folder.text("c.jsonl"))
        try await folder.check(folder.path("third.sqlite"))
    }

    @Test("An export does not replace the store itself, not through a link either")
    func exportIntoTheStore() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store("first.sqlite", Self.lines)
        let link = folder.path("link.jsonl")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
        for output in [store, link] {
            let result = try await folder.run("export", store, "--format", "jsonl", "--output", output)
            expectEqual(result.status, 1)
            #expect(result.errors.contains("This is the store itself."), "\(result.errors)")
        }
        try await folder.check(store)
    }

    @Test("An export to a link goes to the file that it leads to, and one to a pipe into the pipe")
    func exportToLinksAndPipes() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store("small.sqlite", "{\"$entity\":\"Tag\",\"name\":\"a\"}\n")
        let (link, file) = (folder.path("link"), try folder.write("old", "a.jsonl"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(try await folder.run("export", store, "--output", link).status == 0)
        #expect(try folder.text("a.jsonl").contains("\"$entity\":\"Tag\""))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        #expect(try await folder.run("export", store, "--output", pipe).status == 0)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("\"$entity\":\"Tag\""))
    }

    @Test("New rows follow the existing ones if the store's key counter is too low")
    func uncountedKeys() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store("first.sqlite", Self.lines)
        let connection = try Connection(path: store)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Tag'")
        connection.close()
        try Data("{\"$entity\":\"Tag\",\"name\":\"new\"}\n".utf8)
            .write(to: URL(filePath: folder.path("more.jsonl")))
        let result = try await folder.run("import", store, folder.path("more.jsonl"), "--model", folder.model)
        expectEqual(result.status, 0, "\(result.errors)")
        try await folder.check(store)
        _ = try await folder.run("export", store, "--output", folder.path("a.jsonl"))
        #expect(try folder.text("a.jsonl").contains("{\"$id\":\"Tag/p3\""))
    }

    @Test("A program finds the values of the lines in the imported store")
    func objects() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store("first.sqlite", Self.lines)
        try folder.read(store) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.sortDescriptors = [NSSortDescriptor(key: "small", ascending: true)]
            request.predicate = NSPredicate(format: "small == -32768")
            let thing = try #require(try context.fetch(request).first)
            expectEqual(thing.value(forKey: "large") as? Int64, .min)
            expectEqual(thing.value(forKey: "text") as? String, "")
            expectEqual(thing.value(forKey: "data") as? Data, Data())
            expectEqual(thing.value(forKey: "photo") as? Data, Self.photo)
            expectEqual(thing.value(forKey: "upper") as? String, "FIRST, \"IT\"")
            expectEqual((thing.value(forKey: "place") as? [String: Any])?["street"] as? String, "Main")
            expectEqual((thing.value(forKey: "made") as? Date)?.timeIntervalSinceReferenceDate, 816_976_800.123456)
            let tags = (thing.value(forKey: "tags") as? NSOrderedSet)?.array as? [NSManagedObject]
            expectEqual(tags?.map { $0.value(forKey: "name") as? String }, [nil, "é\n\"\0日本"])
            let box = try #require(thing.value(forKey: "box") as? NSManagedObject)
            let names = (box.value(forKey: "things") as? NSOrderedSet)?.array as? [NSManagedObject]
            expectEqual(names?.map { $0.value(forKey: "name") as? String }, ["line\r\nline", "first, \"it\""])
            expectEqual(box.value(forKey: "count") as? Int, 2)
            let twin = thing.value(forKey: "twin") as? NSManagedObject
            expectEqual(twin?.value(forKey: "name") as? String, " 2nd ")
            expectNil(twin?.value(forKey: "text"))
            expectEqual((thing.value(forKey: "friends") as? Set<NSManagedObject>)?.count, 2)
        }
    }

    @Test("sqlite3 and import both read a dump, with the same result; large values need no files")
    func sql() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store("first.sqlite", Self.lines)
        _ = try await folder.run("export", store, "-o", folder.path("a.jsonl"))
        #expect(try await folder.run("export", store, "-o", folder.path("dump.sql")).status == 0)
        let loaded = try await folder.run("import", folder.path("loaded.sqlite"), folder.path("dump.sql"))
        expectEqual(loaded.status, 0, "\(loaded.errors)")
        var stores = ["loaded.sqlite"]
        if FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3") {
            let line = "cd \(folder.url.path) && sqlite3 piped.sqlite < dump.sql"
            #expect(try await Command.shell(line).errors.isEmpty)
            stores.append("piped.sqlite")
        }
        for name in stores {
            try await folder.check(folder.path(name))
            _ = try await folder.run("export", folder.path(name), "-o", folder.path("b.jsonl"))
            try expectEqual(folder.text("a.jsonl"), folder.text("b.jsonl"), "\(name)")
        }
        let again = try await folder.run("import", folder.path("loaded.sqlite"), folder.path("dump.sql"))
        expectEqual(again.status, 1)
        #expect(again.errors.contains("a file is there"))
    }

    @Test("A script that makes no store, is truncated or accesses other files leaves nothing")
    func scripts() async throws {
        let folder = try ExchangeFolder()
        let scripts = [
            ("CREATE TABLE a(b);\n", "no Core Data store"), ("BEGIN;\nCREATE TABLE a(b);\n", "before its COMMIT"),
            ("CREATE TABLE a(b);\nINSERT INTO a VALUES('x\n", "has no end"), ("nonsense;\n", "syntax error"),
            ("ATTACH '\(folder.path("other.sqlite"))' AS o;\n", "not authorized"),
            ("PRAGMA journal_mode = WAL;\n", "not authorized"),
        ]
        for (script, reason) in scripts {
            let file = try folder.write(script, "wrong.sql")
            let result = try await folder.run("import", folder.path("new.sqlite"), file)
            expectEqual(result.status, 1, "\(script): \(result.errors)")
            #expect(result.errors.contains(reason), "\(script): \(result.errors)")
            #expect(result.errors.hasPrefix("\(file):"))
            try expectEqual(folder.names(), ["Model.xcdatamodel", "wrong.sql"])
        }
    }

    @Test(
        "A foreign file without names of objects is imported; the file name or an option gives its entity"
    )
    func foreign() async throws {
        let folder = try ExchangeFolder()
        let table = try folder.write(
            "\u{FEFF}name,flag,made,price\r\nAnn,yes,2026-01-02,1.5\r\n\"Bo\"\"b\",0,,\r\n",
            "Thing.csv"
        )
        let lines = try folder.write(
            "{\"name\": \"Cy\", \"place\": {\"street\": \"S\"}}\n\n {\"name\":\"\\ud83d\\ude00x\"}",
            "any.txt"
        )
        let store = folder.path("new.sqlite")
        #expect(try await folder.run("import", store, table, "--model", folder.model).status == 0)
        let second = try await folder.run("import", store, lines, "--entity", "Thing", "--model", folder.model)
        expectEqual(second.status, 0, "\(second.errors)")
        #expect(second.output.contains("2 rows imported"), "\(second.errors)")
        let names = try await folder.run(
            "fetch",
            store,
            "Thing",
            "--columns",
            "name,place.street",
            "--json",
            "--sort",
            "name"
        )
        expectEqual(names.objects.map { $0["name"] as? String }, ["Ann", "Bo\"b", "Cy", "😀x"])
        expectEqual(names.objects[2]["place.street"] as? String, "S")
        try await folder.check(store)
    }

    @Test("One side of a relationship is enough, in either file, and numbers may be names")
    func oneSide() async throws {
        let folder = try ExchangeFolder()
        let boxes = try folder.write("{\"$id\":1,\"name\":\"b\",\"things\":[3,2]}\n", "Box.jsonl")
        let things = try folder.write(
            """
            {"$id":2,"name":"aa","friends":[3]}
            {"$id":3,"name":"bb","twin":2}
            {"name":"cc","box":1}

            """,
            "Thing.jsonl"
        )
        let store = folder.path("new.sqlite")
        let result = try await folder.run("import", store, things, boxes, "--model", folder.model, "--json")
        expectEqual(result.status, 0, "\(result.output)")
        expectEqual(result.objects.first?["relationships"] as? Int, 5, "\(result.output)")
        try await folder.check(store)
        let rows = try await folder.run("fetch", store, "Box", "--json")
        expectEqual((rows.objects.first?["things"] as? [String])?.map { $0.suffix(2) }, ["p2", "p1", "p3"])
    }

    /// A folder with a store of one object and its export, made once for all lines that are refused.
    private static let storeOfOneBox = Task {
        let folder = try ExchangeFolder()
        let store = try await folder.store("new.sqlite", "{\"$entity\":\"Box\",\"name\":\"before\"}\n")
        _ = try await folder.run("export", store, "-o", folder.path("before.jsonl"))
        #expect(try folder.names().allSatisfy { !$0.hasSuffix("-wal") })
        return folder
    }

    @Test(
        "An error in a line is reported with its number, property and reason, and nothing is imported",
        arguments: [
            ("{\"name\":\"ok\"", "3: ", "it is not JSON: the end is missing, after 12 bytes."),
            ("[1]", "3: ", "Write one object a line"), ("{\"nmae\":\"x\"}", "3: nmae: ", "Did you mean name?\n"),
            ("{\"name\":\"x\"}", "3: ", "name is too short"), ("{}", "3: ", "name is required"),
            ("{\"name\":\"ok\",\"small\":40000}", "3: small: ", "out of the range of an Integer 16"),
            ("{\"name\":\"ok\",\"middle\":\"much\"}", "3: middle: ", "\"much\" is not an Integer 32"),
            ("{\"name\":\"ok\",\"middle\":1000001}", "3: ", "middle is too large"),
            ("{\"name\":7}", "3: name: ", "it takes a String, not a number"),
            ("{\"name\":\"ok\",\"made\":\"2026-02-30\"}", "3: made: ", "is not a Date"),
            ("{\"name\":\"ok\",\"data\":\"?\"}", "3: data: ", "is not base64"),
            ("{\"name\":\"ok\",\"uid\":\"1\"}", "3: uid: ", "is not a UUID"),
            ("{\"name\":\"ok\",\"box\":\"Box/p77\"}", "3: box: ", "neither the files nor the store have"),
            ("{\"name\":\"ok\",\"box\":\"Thing/p1\"}", "3: box: ", "which is a Thing, not a Box"),
            ("{\"name\":\"ok\",\"box\":[\"Thing/p1\"]}", "3: box: ", "it takes the name of an object, not a list"),
            ("{\"name\":\"ok\",\"$id\":\"Thing/p1\"}", "3: $id: ", "it is the one of line 1 too"),
            ("{\"name\":\"ok\",\"uid\":\"11111111-2222-3333-4444-555555555555\"}", "3: ", "is there already"),
            ("{\"$entity\":\"Thingy\",\"name\":\"ok\"}", "3: $entity: ", "Did you mean Thing?"),
            ("{\"$entity\":\"Machine\",\"name\":\"ok\"}", "3: maker: ", "must have related objects"),
            ("{\"name\":\"ok\",\"twin\":\"Thing/p2\"}", "3: twin: ", "whose twin is another object"),
        ]
    )
    func refusals(line: String, place: String, reason: String) async throws {
        let before = try await Self.storeOfOneBox.value
        let folder = try ExchangeFolder()
        let store = folder.path("new.sqlite")
        try FileManager.default.copyItem(atPath: before.path("new.sqlite"), toPath: store)
        let uid = "11111111-2222-3333-4444-555555555555"
        try await folder.expectRefusal(
            of: line,
            by: store,
            at: place,
            reason: reason,
            uid: uid,
            "--model",
            folder.model
        )
        _ = try await folder.run("export", store, "-o", folder.path("after.jsonl"))
        try expectEqual(before.text("before.jsonl"), folder.text("after.jsonl"))
    }

    @Test("With --skip-refused the other lines are imported, and the refused ones are reported")
    func skipping() async throws {
        let folder = try ExchangeFolder()
        let bad = (0..<300).map {
            "{\"name\":\"\($0 % 100 == 7 ? "x" : "thing \($0)")\",\"box\":\($0 == 8 ? "\"none\"" : "null")}"
        }
        let file = try folder.write(bad.joined(separator: "\n"), "Thing.jsonl")
        let store = folder.path("new.sqlite")
        let result = try await folder.run("import", store, file, "--model", folder.model, "--skip-refused", "--json")
        let report = try #require(result.objects.first)
        expectEqual(report["saved"] as? Bool, true)
        expectEqual(report["inserted"] as? Int, 297)
        expectEqual(report["refused"] as? Int, 4)
        let refusals = report["refusals"] as? [[String: Any]] ?? []
        expectEqual(refusals.map { $0["line"] as? Int }, [8, 108, 208, 9])
        expectEqual(result.status, 1)
        #expect(try await folder.run("count", store, "Thing").output == "297\n")
        try await folder.check(store)
    }

    @Test("An invalid table is refused with its line; fields may contain line breaks")
    func wrongTables() async throws {
        let folder = try ExchangeFolder()
        let tables = [
            ("name,name\na,b\n", "1: name: two columns"),
            ("name,text\n\"a\nb\",c\nd\n", "4: it has 1 fields, and the first line has 2"),
            ("name\n\"ab\"c\n", "2: it is not CSV: something follows"),
            ("name\n\"ab\n", "2: it is not CSV: a quotation mark"),
            ("name,nothing\nab,1\n", "2: nothing: Thing has no property of this name"),
        ]
        for (table, reason) in tables {
            let file = try folder.write(table, "Thing.csv")
            let result = try await folder.run("import", folder.path("new.sqlite"), file, "--model", folder.model)
            expectEqual(result.status, 1, "\(table): \(result.errors)")
            #expect(result.errors.hasPrefix("\(file):\(reason)"), "\(table): \(result.errors)")
            try expectEqual(folder.names(), ["Model.xcdatamodel", "Thing.csv"])
        }
    }

    @Test("--update-by changes existing rows, also those of the same file, and keeps values that a line omits")
    func updating() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store("new.sqlite", Self.lines)
        let file = try folder.write(
            """
            {"name":" 2nd ","large":5,"tags":["Tag/new"],"box":null}
            {"name":"fresh","large":1}
            {"name":"fresh","large":2}
            {"$id":"Tag/new","$entity":"Tag","name":"new"}

            """,
            "Thing.jsonl"
        )
        let result = try await folder.run(
            "import",
            store,
            file,
            "--update-by",
            "name",
            "--model",
            folder.model,
            "--json"
        )
        let report = try #require(result.objects.first, "\(result.errors)")
        expectEqual(report["inserted"] as? Int, 2, "\(result.output)")
        expectEqual(report["updated"] as? Int, 2, "\(result.output)")
        let rows = try await folder.run("fetch", store, "Thing", "large > 0", "--sort", "large", "--json")
        expectEqual(rows.objects.map { $0["large"] as? Int }, [2, 5])
        let changed = try #require(rows.objects.last)
        expectEqual(changed["flag"] as? Bool, false)
        #expect(changed["box"] is NSNull)
        expectEqual(changed["real"] as? Double, 1e308)
        expectEqual((changed["tags"] as? [String])?.count, 1)
        try await folder.check(store)
        let unknown = try await folder.run("import", store, file, "--update-by", "nmae", "--model", folder.model)
        expectEqual(unknown.status, 1)
        #expect(unknown.errors.contains("Did you mean name?"))
        let indexes = try await folder.run("export", store, "--format", "sql")
        #expect(!indexes.output.contains("managedgraph_import"))
    }

    @Test("--update-by with null empties both sides of a one-to-one relationship")
    func updatingOneToOne() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store(
            "new.sqlite",
            """
            {"$id":"Thing/p1","$entity":"Thing","name":"one","twin":"Thing/p2"}
            {"$id":"Thing/p2","$entity":"Thing","name":"two","twin":"Thing/p1"}

            """
        )
        let file = try folder.write("{\"name\":\"one\",\"twin\":null}\n", "Thing.jsonl")
        let result = try await folder.run("import", store, file, "--update-by", "name", "--model", folder.model)
        expectEqual(result.status, 0, "\(result.errors)")
        let rows = try await folder.run("fetch", store, "Thing", "twin != nil", "--json")
        expectEqual(rows.objects.count, 0, "\(rows.output)")
        try await folder.check(store)
    }

    @Test("A refused line leaves the relationships of the row that it was to update")
    func refusedUpdate() async throws {
        let folder = try ExchangeFolder()
        let store = try await folder.store("new.sqlite", Self.lines)
        let tagged = """
            {"name":" 2nd ","tags":["Tag/new"]}
            {"$id":"Tag/new","$entity":"Tag","name":"new"}

            """
        let twice = """
            {"$id":"x","name":" 2nd ","large":5}
            {"$id":"x","name":" 2nd ","tags":[]}

            """
        for (name, lines) in [("tagged", tagged), ("twice", twice)] {
            let file = try folder.write(lines, "\(name).jsonl")
            let arguments = ["import", store, file, "--entity", "Thing", "--update-by", "name", "--skip-refused"]
            let result = try await Command.run(arguments + ["--model", folder.model, "--json"], of: "store")
            let report = try #require(result.objects.first, "\(result.errors)")
            expectEqual(report["updated"] as? Int, 1, "\(result.output)")
        }
        let rows = try await folder.run("fetch", store, "Thing", "large == 5", "--json")
        expectEqual((rows.objects.first?["tags"] as? [String])?.count, 1)
        try await folder.check(store)
    }

    @Test("A refused line leaves the large value of the row that it was to update, and no file of its own")
    func refusedLargeValue() async throws {
        let sample = try SampleStore()
        try sample.damage("UPDATE ZITEM SET ZUID = x'11111111222233334444555555555555' WHERE ZTITLE = 'item 1.2'")
        let files = sample.folder.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA").path
        let before = try FileManager.default.contentsOfDirectory(atPath: files).sorted()
        let photo = Self.photo.base64EncodedString()
        let lines = """
            {"title":"item 1.1","uid":"11111111-2222-3333-4444-555555555555","photo":"\(photo)"}
            {"title":"item 2.2","size":9}

            """
        let file = sample.folder.appending(path: "Item.jsonl")
        try Data(lines.utf8).write(to: file)
        let arguments = ["import", sample.store.path, file.path, "--update-by", "title", "--skip-refused", "--json"]
        let result = try await Command.run(arguments + ["--model", sample.model.path], of: "store")
        let report = try #require(result.objects.first, "\(result.errors)")
        expectEqual(report["updated"] as? Int, 1, "\(result.output)")
        expectEqual(report["refused"] as? Int, 1, "\(result.output)")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: files).sorted(), before)
        #expect(try await sample.problems().isEmpty)
    }

    @Test("Imported rows appear in the history of a store that keeps one")
    func history() async throws {
        let sample = try SampleStore()
        let folder = try ExchangeFolder()
        let file = try folder.write(
            "{\"$id\":\"Owner/x\",\"$entity\":\"Owner\"}\n{\"$entity\":\"Item\",\"title\":\"new\",\"owner\":\"Owner/x\"}\n",
            "a.jsonl"
        )
        let result = try await folder.run("import", sample.store.path, file, "--model", sample.model.path)
        expectEqual(result.status, 0, "\(result.errors)")
        let history = try await folder.run(
            "history",
            sample.store.path,
            "--since",
            "1",
            "--json",
            "--model",
            sample.model.path
        )
        let changes = history.objects.first?["changes"] as? [[String: Any]] ?? []
        expectEqual(changes.map { $0["type"] as? String }, ["insert", "insert"])
        expectEqual(history.objects.count, 1)
        #expect(try await sample.problems().isEmpty)
    }

    @Test("The history has no changes of refused lines")
    func historyOfRefusedLines() async throws {
        let sample = try SampleStore()
        let folder = try ExchangeFolder()
        let uid = "11111111-2222-3333-4444-555555555555"
        let lines = """
            {"title":"item 2.2","uid":"\(uid)"}
            {"title":"item 1.1","uid":"\(uid)","tags":[]}
            {"title":"item 1.2","size":9}

            """
        let file = try folder.write(lines, "Item.jsonl")
        let arguments = ["import", sample.store.path, file, "--update-by", "title", "--skip-refused", "--json"]
        let result = try await Command.run(arguments + ["--model", sample.model.path], of: "store")
        let report = try #require(result.objects.first, "\(result.errors)")
        expectEqual(report["updated"] as? Int, 2, "\(result.output)")
        expectEqual(report["refused"] as? Int, 1, "\(result.output)")
        let history = try await folder.run(
            "history",
            sample.store.path,
            "--since",
            "1",
            "--json",
            "--model",
            sample.model.path
        )
        let changes = history.objects.first?["changes"] as? [[String: Any]] ?? []
        expectEqual(changes.map { $0["type"] as? String }, ["update", "update"], "\(history.output)")
    }

    @Test("A file that cannot be read or is not a store is reported in one clear sentence")
    func unreadable() async throws {
        let folder = try ExchangeFolder()
        let missing = try await folder.run(
            "import",
            folder.path("new.sqlite"),
            "/nowhere.jsonl",
            "--model",
            folder.model
        )
        expectEqual(missing.status, 1)
        #expect(missing.errors.contains("does not exist"))
        let noModel = try await folder.run("import", folder.path("new.sqlite"), "/nowhere.jsonl")
        expectEqual(noModel.status, 1)
        #expect(noModel.errors.contains("--model FILE"))
        let text = try folder.write("no store", "text.sqlite")
        let none = try await folder.run("import", text, text, "--model", folder.model)
        expectEqual(none.status, 1)
        #expect(none.errors.hasPrefix("\(text): ") && none.errors.contains("not a Core Data store"))
        try expectEqual(folder.text("text.sqlite"), "no store")
        try expectEqual(folder.names(), ["Model.xcdatamodel", "text.sqlite"])
    }

    @Test("A new store in a place where no file can be made is refused with a reason and a remedy")
    func unusablePlace() async throws {
        let folder = try ExchangeFolder()
        let file = try folder.write("{\"$entity\":\"Tag\",\"name\":\"a\"}\n", "Tag.jsonl")
        let result = try await folder.run("import", file + "/new.sqlite", file, "--model", folder.model)
        expectEqual(result.status, 1)
        #expect(result.errors.contains("no folder for its draft can be made beside it"), "\(result.errors)")
        #expect(result.errors.contains("Check the permissions and the space of \(file)."), "\(result.errors)")
    }

    @Test("Bytes that are not JSON never crash the program")
    func noise() async throws {
        let folder = try ExchangeFolder()
        var bytes: [UInt8] = []
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200_000 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        try Data(bytes).write(to: folder.url.appending(path: "Thing.jsonl"))
        try Data(bytes).write(to: folder.url.appending(path: "Thing.csv"))
        for name in ["Thing.jsonl", "Thing.csv"] {
            let result = try await folder.run(
                "import",
                folder.path("new.sqlite"),
                folder.path(name),
                "--model",
                folder.model
            )
            expectEqual(result.status, 1)
            #expect(result.errors.contains("Nothing was imported"))
        }
        let deep = String(repeating: "[", count: 100_000)
        let file = try folder.write("{\"name\":\(deep)", "Thing.jsonl")
        let result = try await folder.run("import", folder.path("new.sqlite"), file, "--model", folder.model)
        expectEqual(result.status, 1)
        #expect(result.errors.contains("nested more than"))
    }
}
