import ExpectationSupport
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import Testing

@Suite("Exact SQL")
struct SQLTextTests {
    static let comparisons: [SQLExample] = [
        SQLExample("priority == 3", " WHERE t0.ZPRIORITY = ?", [.integer(3)], [1, 3]),
        SQLExample("priority != 3", " WHERE t0.ZPRIORITY IS NOT ?", [.integer(3)], [2, 4, 5]),
        SQLExample("NOT (priority < 3)", " WHERE (t0.ZPRIORITY < ?) IS NOT TRUE", [.integer(3)], [1, 3, 4]),
        SQLExample("text == nil", " WHERE t0.ZTEXT IS NULL", [], [4]),
        SQLExample("text != nil", " WHERE t0.ZTEXT IS NOT NULL", [], [1, 2, 3, 5]),
        SQLExample("effort == priority", " WHERE t0.ZEFFORT IS t0.ZPRIORITY", [], [4, 5]),
        SQLExample("3 > priority", " WHERE t0.ZPRIORITY < ?", [.integer(3)], [2, 5]),
        SQLExample("priority < nil", " WHERE 0", [], []),
        SQLExample("text ==[c] 'x'", " WHERE MGEqual(t0.ZTEXT, ?, 1)", [.text("x")], []),
        SQLExample("text <[cd] 'f'", " WHERE MGCompare(t0.ZTEXT, ?, 3) < 0", [.text("f")], [2, 3, 5]),
        SQLExample(
            "priority BETWEEN {1, 3}",
            " WHERE t0.ZPRIORITY BETWEEN ? AND ?",
            [.integer(1), .integer(3)],
            [1, 2, 3]
        ),
        SQLExample("dueDate == CAST(86400, 'NSDate')", " WHERE t0.ZDUEDATE = ?", [.real(86_400)], [2]),
        SQLExample("done == YES", " WHERE t0.ZDONE = ?", [.integer(1)], [1]),
        SQLExample("size.width == 2", " WHERE t0.ZWIDTH = ?", [.integer(2)], [1]),
        SQLExample("TRUEPREDICATE", "", [], [1, 2, 3, 4, 5]),
        SQLExample("1 == 2 OR priority == 1", " WHERE t0.ZPRIORITY = ?", [.integer(1)], [2]),
        SQLExample(
            "priority == 1 AND (text == 'a' OR NOT done == YES)",
            " WHERE t0.ZPRIORITY = ? AND (t0.ZTEXT = ? OR (t0.ZDONE = ?) IS NOT TRUE)",
            [.integer(1), .text("a"), .integer(1)],
            [2]
        ),
    ]

    static let texts: [SQLExample] = [
        SQLExample("text CONTAINS[cd] 'TE'", " WHERE MGContains(t0.ZTEXT, ?, 3)", [.text("TE")], [2]),
        SQLExample("text BEGINSWITH 'S'", " WHERE t0.ZTEXT >= ? AND t0.ZTEXT < ?", [.text("S"), .text("T")], [1]),
        SQLExample(
            "NOT text BEGINSWITH 'S'",
            " WHERE (t0.ZTEXT >= ? AND t0.ZTEXT < ?) IS NOT TRUE",
            [.text("S"), .text("T")],
            [2, 3, 4, 5]
        ),
        SQLExample("text BEGINSWITH[c] 's'", " WHERE MGBeginsWith(t0.ZTEXT, ?, 1)", [.text("s")], [1]),
        SQLExample("text ENDSWITH 'e'", " WHERE MGEndsWith(t0.ZTEXT, ?, 0)", [.text("e")], [1]),
        SQLExample("text LIKE 'S*'", " WHERE MGLike(t0.ZTEXT, ?, 0)", [.text("S*")], [1]),
        SQLExample("text MATCHES 'S.*'", " WHERE MGMatches(t0.ZTEXT, ?, 0)", [.text("S.*")], [1]),
        SQLExample("'r' IN text", " WHERE MGContains(t0.ZTEXT, ?, 0)", [.text("r")], [1]),
        SQLExample("text.length == 3", " WHERE MGLength(t0.ZTEXT) = ?", [.integer(3)], [2]),
        SQLExample("uppercase(text) == 'ÉTÉ'", " WHERE MGUppercase(t0.ZTEXT) = ?", [.text("ÉTÉ")], [2]),
    ]

    static let lists: [SQLExample] = [
        SQLExample("priority IN {1, 3}", " WHERE t0.ZPRIORITY IN (?, ?)", [.integer(1), .integer(3)], [1, 2, 3]),
        SQLExample("priority IN {}", " WHERE 0", [], []),
        SQLExample(
            "priority IN {1, nil}",
            " WHERE t0.ZPRIORITY IN (?) OR t0.ZPRIORITY IS NULL",
            [.integer(1)],
            [2, 4]
        ),
        SQLExample(
            "priority IN {1, effort}",
            " WHERE t0.ZPRIORITY IN (?) OR t0.ZPRIORITY IS t0.ZEFFORT",
            [.integer(1)],
            [2, 4, 5]
        ),
    ]

    static let paths: [SQLExample] = [
        SQLExample(
            "location.region.name == 'North' AND location.name == 'Kitchen'",
            " LEFT OUTER JOIN ZPLACE t1 ON t0.ZLOCATION = t1.Z_PK LEFT OUTER JOIN ZREGION t2 ON t1.ZREGION = t2.Z_PK"
                + " WHERE t2.ZNAME = ? AND t1.ZNAME = ?",
            [.text("North"), .text("Kitchen")],
            [1]
        ),
        SQLExample("location == nil", " WHERE t0.ZLOCATION IS NULL", [], [4, 5]),
        SQLExample("parent == SELF", " WHERE t0.ZPARENT = t0.Z_PK", [], []),
        SQLExample(
            "location.storedIn == 'Shelf'",
            " LEFT OUTER JOIN ZPLACE t1 ON t0.ZLOCATION = t1.Z_PK WHERE t1.ZSTOREDIN = ?",
            [.text("Shelf")],
            [1]
        ),
        SQLExample(
            "location.level == 2",
            " LEFT OUTER JOIN ZPLACE t1 ON t0.ZLOCATION = t1.Z_PK WHERE COALESCE(t1.ZLEVEL, t1.ZLEVEL1) = ?",
            [.integer(2)],
            [2]
        ),
        SQLExample(
            "location.entity.name == 'Home'",
            " LEFT OUTER JOIN ZPLACE t1 ON t0.ZLOCATION = t1.Z_PK WHERE t1.Z_ENT = ?",
            [.integer(2)],
            [1]
        ),
        SQLExample(
            "ANY children.priority == 3",
            " WHERE EXISTS (SELECT 1 FROM ZTASK t1 WHERE t1.ZPARENT = t0.Z_PK AND t1.ZPRIORITY = ?)",
            [.integer(3)],
            [1]
        ),
        SQLExample(
            "NONE tags.name == 'red'",
            " WHERE NOT EXISTS (SELECT 1 FROM Z_6TASKS t1 LEFT OUTER JOIN ZTAG t2 ON t1.Z_6TAGS = t2.Z_PK"
                + " WHERE t1.Z_7TASKS = t0.Z_PK AND t2.ZNAME = ?)",
            [.text("red")],
            [2, 3, 4]
        ),
        SQLExample(
            "ALL tags.name == 'red'",
            " WHERE NOT EXISTS (SELECT 1 FROM Z_6TASKS t1 LEFT OUTER JOIN ZTAG t2 ON t1.Z_6TAGS = t2.Z_PK"
                + " WHERE t1.Z_7TASKS = t0.Z_PK AND (t2.ZNAME = ?) IS NOT TRUE)",
            [.text("red")],
            [3, 4, 5]
        ),
        SQLExample(
            "ANY children.tags.rank == priority",
            " WHERE EXISTS (SELECT 1 FROM ZTASK t1 JOIN Z_6TASKS t2 ON t2.Z_7TASKS = t1.Z_PK"
                + " LEFT OUTER JOIN ZTAG t3 ON t2.Z_6TAGS = t3.Z_PK"
                + " WHERE t1.ZPARENT = t0.Z_PK AND t3.ZRANK IS t0.ZPRIORITY)",
            [],
            []
        ),
        SQLExample(
            "ANY location.tasks.priority == 3",
            " WHERE EXISTS (SELECT 1 FROM ZTASK t1 WHERE t1.ZLOCATION = t0.ZLOCATION AND t1.ZPRIORITY = ?)",
            [.integer(3)],
            [1, 3]
        ),
        SQLExample(
            "priority IN tags.rank",
            " WHERE EXISTS (SELECT 1 FROM Z_6TASKS t1 LEFT OUTER JOIN ZTAG t2 ON t1.Z_6TAGS = t2.Z_PK"
                + " WHERE t1.Z_7TASKS = t0.Z_PK AND t2.ZRANK IS t0.ZPRIORITY)",
            [],
            []
        ),
    ]

    static let computed: [SQLExample] = [
        SQLExample(
            "tags.@count > 1",
            " WHERE (SELECT COUNT(*) FROM Z_6TASKS t1 WHERE t1.Z_7TASKS = t0.Z_PK) > ?",
            [.integer(1)],
            [1, 2]
        ),
        SQLExample(
            "steps.@sum.weight > 5",
            " WHERE (SELECT IFNULL(MGSum(t1.ZWEIGHT), 0) FROM ZSTEP t1 WHERE t1.ZTASK = t0.Z_PK) > ?",
            [.integer(5)],
            [1]
        ),
        SQLExample(
            "location.tasks.@max.priority == 3",
            " WHERE (CASE WHEN t0.ZLOCATION IS NOT NULL THEN"
                + " (SELECT MAX(t1.ZPRIORITY) FROM ZTASK t1 WHERE t1.ZLOCATION = t0.ZLOCATION) END) = ?",
            [.integer(3)],
            [1, 3]
        ),
        SQLExample(
            "tags.@avg.rank == 1",
            " WHERE (SELECT IFNULL(AVG(IFNULL(t2.ZRANK, 0)), 0) FROM Z_6TASKS t1"
                + " LEFT OUTER JOIN ZTAG t2 ON t1.Z_6TAGS = t2.Z_PK WHERE t1.Z_7TASKS = t0.Z_PK) = ?",
            [.integer(1)],
            [2, 5]
        ),
        SQLExample(
            "SUBQUERY(children, $c, $c.priority == priority AND $c.location.aisle == 'Shelf').@count == 1",
            " WHERE (SELECT COUNT(*) FROM ZTASK t1 LEFT OUTER JOIN ZPLACE t2 ON t1.ZLOCATION = t2.Z_PK"
                + " WHERE t1.ZPARENT = t0.Z_PK AND t1.ZPRIORITY IS t0.ZPRIORITY AND t2.ZAISLE = ?) = ?",
            [.text("Shelf"), .integer(1)],
            [1]
        ),
        SQLExample(
            "steps[0].title == 'one'",
            " LEFT OUTER JOIN ZSTEP t2 ON (SELECT t1.Z_PK FROM ZSTEP t1 WHERE t1.ZTASK = t0.Z_PK"
                + " ORDER BY t1.Z_FOK_TASK LIMIT (? >= 0) OFFSET ?) = t2.Z_PK WHERE t2.ZTITLE = ?",
            [.integer(0), .integer(0), .text("one")],
            [1]
        ),
        SQLExample(
            "priority + 1 > effort * 2",
            " WHERE (t0.ZPRIORITY + ?) > (t0.ZEFFORT * ?)",
            [.integer(1), .integer(2)],
            [5]
        ),
        SQLExample(
            "cost / 2 == 1.5",
            " WHERE (CAST(t0.ZCOST AS REAL) / ?) = ?",
            [.integer(2), .real(1.5)],
            [1]
        ),
        SQLExample(
            "TERNARY(done == YES, priority, 0) == 0",
            " WHERE (CASE WHEN t0.ZDONE = ? THEN t0.ZPRIORITY ELSE ? END) = ?",
            [.integer(1), .integer(0), .integer(0)],
            [2, 3, 4, 5]
        ),
        SQLExample("noindex:(priority) == 3", " WHERE +t0.ZPRIORITY = ?", [.integer(3)], [1, 3]),
        SQLExample(
            "(children UNION parent.children).@count == 2",
            " WHERE (SELECT COUNT(*) FROM (SELECT t1.Z_PK AS v FROM ZTASK t1 WHERE t1.ZPARENT = t0.Z_PK"
                + " UNION SELECT t2.Z_PK AS v FROM ZTASK t2 WHERE t2.ZPARENT = t0.ZPARENT) t3) = ?",
            [.integer(2)],
            [1, 3]
        ),
        SQLExample(
            "2 IN children.priority MINUS parent.children.priority",
            " WHERE EXISTS (SELECT 1 FROM (SELECT t1.ZPRIORITY AS v FROM ZTASK t1 WHERE t1.ZPARENT = t0.Z_PK"
                + " EXCEPT SELECT t2.ZPRIORITY AS v FROM ZTASK t2 WHERE t2.ZPARENT = t0.ZPARENT) t3 WHERE t3.v = ?)",
            [.integer(2)],
            []
        ),
        SQLExample(
            "median:(children.priority) == 3",
            " WHERE (SELECT MGMedian(GROUP_CONCAT(CASE WHEN t1.ZPRIORITY IS NOT NULL THEN PRINTF('%!.17g', t1.ZPRIORITY)"
                + " END)) FROM ZTASK t1 WHERE t1.ZPARENT = t0.Z_PK) = ?",
            [.integer(3)],
            []
        ),
        SQLExample(
            "CAST(priority, 'NSString') BEGINSWITH '3'",
            " WHERE MGText(t0.ZPRIORITY) >= ? AND MGText(t0.ZPRIORITY) < ?",
            [.text("3"), .text("4")],
            [1, 3]
        ),
        SQLExample(
            "max({priority, effort}) == 7",
            " WHERE (SELECT MAX(v) FROM (SELECT t0.ZPRIORITY AS v UNION ALL SELECT t0.ZEFFORT AS v)) = ?",
            [.integer(7)],
            [1]
        ),
    ]

    @Test(arguments: comparisons + texts + lists + paths + computed)
    func `Each construct has one SQL form, and it admits these rows`(_ example: SQLExample) throws {
        let store = try SampleStore.known()
        let node = try parsed(example.format)
        let fetch = try store.translate(FetchPlan(entity: "Task", predicate: node, columns: [.primaryKey]))
        expectEqual(fetch.statement.text, "SELECT t0.Z_PK FROM ZTASK t0\(example.sql) ORDER BY t0.Z_PK")
        expectEqual(fetch.statement.bindings, example.bindings)
        try expectEqual(store.keysInSQL("Task", node), example.keys)
    }

    @Test func `Constant collections are padded, and long ones travel as JSON`() throws {
        let store = try SampleStore.known()
        func statement(_ format: String, _ argument: Any) throws -> SQLStatement {
            let plan = FetchPlan(entity: "Task", predicate: try parsed(format, argument), columns: [.primaryKey])
            let translated = try store.translate(plan).statement
            return SQLStatement(
                translated.text.replacingOccurrences(of: "SELECT t0.Z_PK FROM ZTASK t0 WHERE ", with: "")
                    .replacingOccurrences(of: " ORDER BY t0.Z_PK", with: ""),
                translated.bindings
            )
        }
        try expectEqual(
            statement("priority IN %@", [7, 8, 9]),
            SQLStatement("t0.ZPRIORITY IN (?, ?, ?, ?)", [.integer(7), .integer(8), .integer(9), .integer(9)])
        )
        let numbers = Array(0..<65)
        try expectEqual(
            statement("priority IN %@", numbers),
            SQLStatement(
                "t0.ZPRIORITY IN (SELECT value FROM json_each(?))",
                [.text("[" + numbers.map { String($0) }.joined(separator: ",") + "]")]
            )
        )
        let codes = (0..<65).map { SampleStore.uuid($0) }
        try expectEqual(statement("code IN %@", codes).text, "t0.ZCODE IN (SELECT MGData(value) FROM json_each(?))")
        let dates = (0..<65).map { SampleStore.date(Double($0)) }
        try expectEqual(
            statement("dueDate IN %@", dates).text,
            "t0.ZDUEDATE IN (SELECT MGReal(value) FROM json_each(?))"
        )
        try expectEqual(
            statement("text IN[c] %@", ["A"]),
            SQLStatement(
                "EXISTS (SELECT 1 FROM json_each(?) WHERE MGEqual(t0.ZTEXT, value, 1))",
                [.text("[\"A\"]")]
            )
        )
        let tasks = store.objects["Task"] ?? []
        try expectEqual(
            statement("SELF IN %@", [tasks[0], tasks[2]]),
            SQLStatement("t0.Z_PK IN (?, ?)", [.integer(1), .integer(3)])
        )
        try expectEqual(
            statement("ANY tags == %@", store.objects["Tag"]?[1] as Any),
            SQLStatement(
                "EXISTS (SELECT 1 FROM Z_6TASKS t1 WHERE t1.Z_7TASKS = t0.Z_PK AND t1.Z_6TAGS = ?)",
                [.integer(2)]
            )
        )
    }

    @Test func `Texts of users reach SQL as values only`() throws {
        let store = try SampleStore.known()
        for text in ["'; DROP TABLE ZTASK; --", "\" OR 1=1", "?1", "\u{0}x", "%@"] {
            for format in ["text == %@", "text IN %@", "text BEGINSWITH %@", "TERNARY(text == %@, 1, 2) == 1"] {
                let argument: Any = format.contains("IN %@") ? [text, text + "b"] : text
                let fetch = try store.translate(FetchPlan(entity: "Task", predicate: try parsed(format, argument)))
                #expect(!fetch.statement.text.contains(text) || text == "?1")
                _ = try store.connection.rows(fetch.statement.text, fetch.statement.bindings)
            }
        }
        try expectEqual(store.connection.rows("SELECT COUNT(*) FROM ZTASK"), [[.integer(5)]])
    }

    @Test func `An index serves equality, ranges, prefixes and lists`() throws {
        let store = try SampleStore.known()
        try store.connection.execute("CREATE INDEX byText ON ZTASK (ZTEXT)")
        let long = (0..<200).map { "x\($0)" }
        for (format, argument) in [
            ("text == %@", "a" as Any), ("text BEGINSWITH %@", "a"), ("text IN %@", ["a", "b"]),
            ("text IN %@", long),
        ] {
            let fetch = try store.translate(FetchPlan(entity: "Task", predicate: try parsed(format, argument)))
            let plan = try store.connection.rows(
                "EXPLAIN QUERY PLAN " + fetch.statement.text,
                fetch.statement.bindings
            )
            #expect(
                "\(plan)".contains("USING INDEX byText") || "\(plan)".contains("COVERING INDEX byText"),
                "\(format)"
            )
        }
    }

    @Test func `An index serves a sort with its tie-break`() throws {
        let store = try SampleStore.known()
        try store.connection.execute("CREATE INDEX byText ON ZTASK (ZTEXT)")
        for ascending in [true, false] {
            let sort = [SortTerm(["text"], ascending: ascending), SortTerm(["objectID"], ascending: ascending)]
            let fetch = try store.translate(FetchPlan(entity: "Task", predicate: try parsed("text > 'a'"), sort: sort))
            let plan = try store.connection.rows("EXPLAIN QUERY PLAN " + fetch.statement.text, fetch.statement.bindings)
            #expect("\(plan)".contains("USING INDEX byText") && !"\(plan)".contains("TEMP B-TREE"))
        }
    }

    @Test func `A chain of thousands of alternatives stays within SQLite's limits`() throws {
        let store = try SampleStore.known()
        let parts = try (0..<5_000).map { try parsed("priority == \($0 + 3) OR effort == \($0 + 3)") }
        try expectEqual(store.keysInSQL("Task", .or(parts)), [1, 3])
        let none = try (0..<5_000).map { try parsed("priority != \($0 + 3)") }
        try expectEqual(store.keysInSQL("Task", .and(none)), [2, 4, 5])
    }
}
