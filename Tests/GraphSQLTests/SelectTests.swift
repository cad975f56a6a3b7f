import ExpectationSupport
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL
import Testing

@Suite("Columns, order, limits and groups")
struct SelectTests {
    private let effort = ExpressionNode.function(name: "sum:", target: nil, arguments: [.keyPath(["effort"])])

    private func text(_ store: SampleStore, _ plan: FetchPlan) throws -> String {
        try store.translate(plan).statement.text
    }

    @Test func `An object's fetch reads its entity, key and version, in a complete order`() throws {
        let store = try SampleStore.known()
        try expectEqual(
            text(store, FetchPlan(entity: "Task")),
            "SELECT t0.Z_ENT, t0.Z_PK, t0.Z_OPT FROM ZTASK t0 ORDER BY t0.Z_PK"
        )
        let sort = [SortTerm(["location", "name"]), SortTerm(["dueDate"], ascending: false)]
        let plan = FetchPlan(entity: "Task", sort: sort, limit: 2, offset: 1, columns: [.stored("Z_PK")])
        try expectEqual(
            text(store, plan),
            "SELECT t0.Z_PK FROM ZTASK t0 LEFT OUTER JOIN ZPLACE t1 ON t0.ZLOCATION = t1.Z_PK"
                + " ORDER BY t1.ZNAME, t0.ZDUEDATE DESC, t0.Z_PK LIMIT ? OFFSET ?"
        )
        try expectEqual(store.translate(plan).statement.bindings, [.integer(2), .integer(1)])
        // Nil sorts first: tasks 5, 3 and 4 have no location name, and only task 5 has a date.
        try expectEqual(store.rows(plan), [[.integer(3)], [.integer(4)]])
    }

    @Test func `A number beyond the range of decimals is read as a real one`() {
        expectEqual(RowValue(.real(2.5), type: .decimal), .decimal(2.5))
        for number in [Double.infinity, -.infinity, 1e300] {
            expectEqual(RowValue(.real(number), type: .decimal), .real(number))
        }
    }

    @Test func `An offset without a limit skips rows`() throws {
        let store = try SampleStore.known()
        let plan = FetchPlan(entity: "Task", offset: 3, columns: [.primaryKey])
        try expectEqual(store.rows(plan), [[.integer(4)], [.integer(5)]])
    }

    @Test func `A key is sorted by once in each collation`() throws {
        let store = try SampleStore()
        for text in ["B", "a", "b", "A"] { store.add("Task", ["text": text]) }
        try store.write()
        let folded = SortTerm(["text"], selector: "caseInsensitiveCompare:")
        let sort = [folded, SortTerm(["text"], ascending: false), folded, SortTerm(["text"])]
        let plan = FetchPlan(entity: "Task", sort: sort, columns: [.keyPath(["text"])])
        try expectEqual(
            text(store, plan),
            "SELECT t0.ZTEXT FROM ZTASK t0 ORDER BY t0.ZTEXT COLLATE NSCollateNoCase, t0.ZTEXT DESC, t0.Z_PK"
        )
        try expectEqual(store.rows(plan), ["a", "A", "b", "B"].map { [SQLValue.text($0)] })
    }

    @Test func `Selectors become collations`() throws {
        let store = try SampleStore()
        for text in ["b10", "b9", "A", "a", "B1", "é", "f"] { store.add("Task", ["text": text]) }
        store.add("Task")
        try store.write()
        let names = [
            "caseInsensitiveCompare:": "NSCollateNoCase", "localizedCompare:": "NSCollateLocaleSensitive",
            "localizedCaseInsensitiveCompare:": "NSCollateLocaleSensitiveNoCase",
            "localizedStandardCompare:": "NSCollateFinderlike",
        ]
        for (selector, collation) in names {
            let plan = FetchPlan(
                entity: "Task",
                sort: [SortTerm(["text"], selector: selector)],
                columns: [.keyPath(["text"])]
            )
            try expectEqual(
                text(store, plan),
                "SELECT t0.ZTEXT FROM ZTASK t0 ORDER BY t0.ZTEXT COLLATE \(collation), t0.Z_PK"
            )
            let order = try #require(TextSort(rawValue: selector))
            let rows = try store.rows(plan).compactMap { row -> String? in
                if case .text(let text) = row[0] { text } else { nil }
            }
            for (one, next) in zip(rows, rows.dropFirst()) {
                #expect(TextSort.compare(one, next, order) != .orderedDescending, "\(selector): \(one), \(next)")
            }
        }
        let finder = FetchPlan(
            entity: "Task",
            predicate: try parsed("text BEGINSWITH[c] 'b'"),
            sort: [SortTerm(["text"], ascending: false, selector: "localizedStandardCompare:")],
            columns: [.keyPath(["text"])]
        )
        try expectEqual(store.rows(finder), [[.text("b10")], [.text("b9")], [.text("B1")]])
        #expect(throws: TranslationError.self) {
            try store.translate(FetchPlan(entity: "Task", sort: [SortTerm(["text"], selector: "myCompare:")]))
        }
    }

    @Test func `Sorts go through counts and relationships`() throws {
        let store = try SampleStore.known()
        let plan = FetchPlan(
            entity: "Task",
            sort: [SortTerm(["tags", "@count"], ascending: false)],
            columns: [.primaryKey]
        )
        try expectEqual(
            text(store, plan),
            "SELECT t0.Z_PK FROM ZTASK t0 ORDER BY "
                + "(SELECT COUNT(*) FROM Z_6TASKS t1 WHERE t1.Z_7TASKS = t0.Z_PK) DESC, t0.Z_PK"
        )
        try expectEqual(store.rows(plan), [[.integer(1)], [.integer(2)], [.integer(5)], [.integer(3)], [.integer(4)]])
        #expect(try text(store, FetchPlan(entity: "Task", sort: [SortTerm(["location"])])).contains("ORDER BY t0.ZLOC"))
    }

    @Test func `A tree's fetch admits the entity's own rows or its family's`() throws {
        let store = try SampleStore.known()
        func tail(_ entity: String, _ includesSubentities: Bool) throws -> String {
            let plan = FetchPlan(entity: entity, includesSubentities: includesSubentities, columns: [.primaryKey])
            return try text(store, plan)
        }
        try expectEqual(tail("Place", true), "SELECT t0.Z_PK FROM ZPLACE t0 ORDER BY t0.Z_PK")
        try expectEqual(tail("Place", false), "SELECT t0.Z_PK FROM ZPLACE t0 WHERE t0.Z_ENT = 1 ORDER BY t0.Z_PK")
        try expectEqual(tail("Shop", true), "SELECT t0.Z_PK FROM ZPLACE t0 WHERE t0.Z_ENT = 3 ORDER BY t0.Z_PK")
    }

    @Test func `Counting respects predicate, limit, offset and distinctness`() throws {
        let store = try SampleStore.known()
        let plain = FetchPlan(entity: "Task", predicate: try parsed("priority == 3"), form: .count)
        try expectEqual(text(store, plain), "SELECT COUNT(*) FROM ZTASK t0 WHERE t0.ZPRIORITY = ?")
        try expectEqual(store.rows(plain), [[.integer(2)]])
        let limited = FetchPlan(entity: "Task", limit: 4, offset: 2, form: .count)
        try expectEqual(text(store, limited), "SELECT COUNT(*) FROM (SELECT 1 FROM ZTASK t0 LIMIT ? OFFSET ?)")
        try expectEqual(store.rows(limited), [[.integer(3)]])
        let distinct = FetchPlan(entity: "Task", columns: [.keyPath(["priority"])], isDistinct: true, form: .count)
        try expectEqual(text(store, distinct), "SELECT COUNT(*) FROM (SELECT DISTINCT t0.ZPRIORITY FROM ZTASK t0)")
        try expectEqual(store.rows(distinct), [[.integer(4)]])
    }

    @Test func `Columns say what they hold`() throws {
        let store = try SampleStore.known()
        let fetch = try store.translate(
            FetchPlan(
                entity: "Task",
                columns: [
                    .keyPath(["priority"]), .keyPath(["location", "name"]), .keyPath(["location"]),
                    .expression(
                        name: "twice",
                        .function(
                            name: "multiply:by:",
                            target: nil,
                            arguments: [.keyPath(["amount"]), .constant(2)]
                        )
                    ),
                    .expression(name: "own", .evaluatedObject), .version,
                ]
            )
        )
        expectEqual(
            fetch.columns,
            [
                ResultColumn(name: "priority", content: .value(.integer16)),
                ResultColumn(name: "location.name", content: .value(.string)),
                ResultColumn(name: "location", content: .object(entity: "Place")),
                ResultColumn(name: "twice", content: .value(.double)),
                ResultColumn(name: "own", content: .object(entity: "Task")),
                ResultColumn(name: "Z_OPT", content: .stored),
            ]
        )
        expectEqual(
            fetch.statement.text,
            "SELECT t0.ZPRIORITY, t1.ZNAME, t0.ZLOCATION, t0.ZAMOUNT * ?, t0.Z_PK, t0.Z_OPT FROM ZTASK t0"
                + " LEFT OUTER JOIN ZPLACE t1 ON t0.ZLOCATION = t1.Z_PK ORDER BY t0.Z_PK"
        )
    }

    @Test func `Distinct rows are ordered by their columns`() throws {
        let store = try SampleStore.known()
        let plan = FetchPlan(entity: "Task", columns: [.keyPath(["priority"])], isDistinct: true)
        try expectEqual(text(store, plan), "SELECT DISTINCT t0.ZPRIORITY FROM ZTASK t0 ORDER BY t0.ZPRIORITY")
        try expectEqual(store.rows(plan), [[.null], [.integer(0)], [.integer(1)], [.integer(3)]])
    }

    @Test func `Groups have aggregates, conditions on them and an order by them`() throws {
        let store = try SampleStore.known()
        let plan = FetchPlan(
            entity: "Task",
            sort: [SortTerm(["total"], ascending: false)],
            columns: [.keyPath(["priority"]), .expression(name: "total", effort)],
            groupBy: [.keyPath(["priority"])],
            having: try parsed("$total > 1")
        )
        try expectEqual(
            text(store, plan),
            "SELECT t0.ZPRIORITY, IFNULL(MGSum(t0.ZEFFORT), 0) FROM ZTASK t0 GROUP BY t0.ZPRIORITY"
                + " HAVING IFNULL(MGSum(t0.ZEFFORT), 0) > ? ORDER BY IFNULL(MGSum(t0.ZEFFORT), 0) DESC, t0.ZPRIORITY"
        )
        try expectEqual(store.rows(plan), [[.integer(3), .integer(7)], [.integer(1), .integer(2)]])
        var havingPlan = plan
        havingPlan.having = try parsed("sum(effort) > 2 AND priority != nil")
        try expectEqual(store.rows(havingPlan), [[.integer(3), .integer(7)]])
        havingPlan.columns = [.keyPath(["text"])]
        #expect(throws: TranslationError.self) { try store.translate(havingPlan) }
        havingPlan.groupBy = []
        #expect(throws: TranslationError.self) { try store.translate(havingPlan) }
    }

    @Test func `Sums of integers beyond 64 bits are real numbers, as in memory`() throws {
        let store = try SampleStore()
        let parent = store.add("Task", ["effort": 1])
        for effort in [Int.max, Int.max, -5] { store.add("Task", ["effort": effort, "priority": 1, "parent": parent]) }
        let balanced = store.add("Task", ["effort": 2])
        for effort in [Int.max, 7, -7] { store.add("Task", ["effort": effort, "priority": 2, "parent": balanced]) }
        try store.write()
        for (format, keys) in [
            ("children.@sum.effort > 18446744073709549568.0", [1]),
            ("sum:(children.effort) == 18446744073709551616.0", [1]),
            ("children.@sum.effort == 9223372036854775807", [5]), ("sum:({effort, effort}) > 1e19", [2, 3, 6]),
        ] as [(String, [Int64])] {
            let node = try parsed(format)
            try expectEqual(store.keysInSQL("Task", node).sorted(), keys, "\(format)")
            try expectEqual(store.keysInMemory("Task", node), keys, "\(format)")
        }
        let groups = FetchPlan(
            entity: "Task",
            sort: [SortTerm(["total"])],
            columns: [.expression(name: "total", effort)],
            groupBy: [.keyPath(["priority"])],
            having: try parsed("$total > 1")
        )
        try expectEqual(store.rows(groups), [[.integer(3)], [.integer(.max)], [.real(0x1p64)]])
    }

    @Test func `Aggregates without groups give one row`() throws {
        let store = try SampleStore.known()
        let plan = FetchPlan(
            entity: "Task",
            predicate: try parsed("effort > 0"),
            sort: [SortTerm(["text"])],
            columns: [
                .expression(name: "total", effort), .keyPath(["@count"]), .keyPath(["@max", "dueDate"]),
                .expression(
                    name: "mean",
                    .function(name: "average:", target: nil, arguments: [.keyPath(["effort"])])
                ),
            ]
        )
        try expectEqual(
            text(store, plan),
            "SELECT IFNULL(MGSum(t0.ZEFFORT), 0), COUNT(t0.Z_PK), MAX(t0.ZDUEDATE), AVG(t0.ZEFFORT) FROM ZTASK t0"
                + " WHERE t0.ZEFFORT > ?"
        )
        try expectEqual(store.rows(plan), [[.integer(9), .integer(2), .integer(86_400), .real(4.5)]])
    }
}
