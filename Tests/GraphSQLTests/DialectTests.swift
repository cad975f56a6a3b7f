import ExpectationSupport
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import TestSupport
import Testing

@Suite("PostgreSQL's dialect")
struct DialectTests {
    private static let dialect = PostgreSQLDialect(schema: "s")
    private static let schema = StoreSchema(model: SampleModel.model, dialect: dialect)
    private let translator = FetchTranslator(schema: schema) { entity, property in
        entity == "Task" && property == "isOverdue"
    }

    static let examples: [DialectExample] = [
        DialectExample("priority == 3 AND text == 'a'", #"t0."priority" = $1 AND t0."text" = $2"#),
        DialectExample("effort == priority", #"t0."effort" IS NOT DISTINCT FROM t0."priority""#),
        DialectExample("priority != 3", #"t0."priority" IS DISTINCT FROM $1"#),
        DialectExample("NOT priority < 3", #"(t0."priority" < $1) IS NOT TRUE"#),
        DialectExample("priority < nil", "FALSE"),
        DialectExample("done == YES", #"t0."done" = $1"#),
        DialectExample("done == 1", #"t0."done" = $1"#),
        DialectExample("done != 1", #"CAST(t0."done" AS integer) IS DISTINCT FROM $1"#),
        DialectExample("done == priority", #"CAST(t0."done" AS integer) IS NOT DISTINCT FROM t0."priority""#),
        DialectExample("amount == effort", #""s"."mg_exact"(t0."amount") IS NOT DISTINCT FROM t0."effort""#),
        DialectExample("text > 'a'", #"t0."text" > $1 COLLATE "C""#),
        DialectExample("text CONTAINS 'x'", #"(strpos(t0."text", $1) > 0 AND $1 <> '')"#),
        DialectExample("text CONTAINS[cd] '?'", #"(strpos("s"."mg_fold"(t0."text"), $1) > 0 AND $1 <> '')"#),
        DialectExample("text ==[cd] 'x'", #""s"."mg_fold"(t0."text") = $1"#),
        DialectExample("text !=[c] 'x'", #""s"."mg_fold_case"(t0."text") IS DISTINCT FROM $1"#),
        DialectExample("text <[cd] 'f'", #""s"."mg_fold"(t0."text") < $1 COLLATE "C""#),
        DialectExample("text BEGINSWITH 'S'", #"t0."text" >= $1 COLLATE "C" AND t0."text" < $2 COLLATE "C""#),
        DialectExample(
            "text BEGINSWITH[cd] 'É'",
            #""s"."mg_fold"(t0."text") >= $1 COLLATE "C" AND "s"."mg_fold"(t0."text") < $2 COLLATE "C""#
        ),
        DialectExample("text LIKE[c] 'a*'", #""s"."mg_like"("s"."mg_fold_case"(t0."text"), $1)"#),
        DialectExample("uppercase(text) == 'A'", #""s"."mg_upper"(t0."text") = $1"#),
        DialectExample("bytes.length == 3", #"octet_length(t0."bytes") = $1"#),
        DialectExample("priority IN {1, 3}", #"t0."priority" IN ($1, $2)"#),
        DialectExample("cost / 2 == 1", #""s"."mg_quotient"(t0."cost", CAST($1 AS numeric)) = $2"#),
        DialectExample(
            "priority / 2 == 1",
            #"div(CAST(t0."priority" AS numeric), NULLIF(CAST($1 AS numeric), 0)) = $2"#
        ),
        DialectExample("amount + 1 == 2", #""s"."mg_add"(t0."amount", CAST($1 AS double precision)) = $2"#),
        DialectExample("noindex:(priority) == 1", #"(ARRAY[t0."priority"])[1] = $1"#),
        DialectExample("location.name == 'x'", #"t1."name" = $1"#),
        DialectExample(
            "tags.@sum.rank == 2",
            #"(SELECT COALESCE(SUM(t2."rank"), 0) FROM "s"."Tag_tasks" t1 LEFT OUTER JOIN "s"."Tag" t2 ON"#
                + #" t1."tags" = t2."_id" WHERE t1."tasks" = t0."_id") = $1"#
        ),
        DialectExample(
            "median:(children.priority) == 3",
            #"(SELECT "s"."mg_median"(ARRAY_AGG(CAST(t1."priority" AS double precision))) FROM "s"."Task" t1"#
                + #" WHERE t1."parent" = t0."_id") = $1"#
        ),
        DialectExample(
            "max({priority, effort}) == 7",
            #"(SELECT MAX(v) FROM (SELECT t0."priority" AS v UNION ALL SELECT t0."effort" AS v) AS part) = $1"#
        ),
        DialectExample(
            "steps[2] == nil",
            #"(SELECT t1."_id" FROM "s"."Step" t1 WHERE t1."task" = t0."_id" ORDER BY t1."task_order" NULLS FIRST"#
                + " LIMIT CASE WHEN $1 >= 0 THEN 1 ELSE 0 END OFFSET GREATEST($1, 0)) IS NULL"
        ),
        DialectExample(
            "CAST(priority, 'NSDate') > dueDate",
            #""s"."mg_time"(CAST(t0."priority" AS double precision)) > t0."dueDate""#
        ),
    ]

    private func text(_ plan: FetchPlan) throws -> String { try translator.translate(plan).statement.text }

    @Test(arguments: examples)
    func `Each construct has the dialect's form`(_ example: DialectExample) throws {
        let plan = FetchPlan(entity: "Task", predicate: try parsed(example.format), columns: [.primaryKey])
        let sql = try text(plan)
        #expect(sql.hasPrefix(#"SELECT t0."_id" FROM "s"."Task" t0 "#))
        #expect(sql.hasSuffix(#" WHERE \#(example.sql) ORDER BY t0."_id""#), "\(sql)")
        expectEqual(Self.foreignSpellings(sql), [])
    }

    @Test func `A constant is bound in the type of the column that it meets`() throws {
        func bindings(_ format: String, _ arguments: Any?...) throws -> [SQLValue] {
            let predicate = try PredicateParser.parse(format: format, arguments: arguments)
            return try translator.translate(FetchPlan(entity: "Task", predicate: predicate)).statement.bindings
        }
        try expectEqual(bindings("done == YES"), [.typed(.boolean(true))])
        try expectEqual(bindings("done == 1"), [.typed(.boolean(true))])
        try expectEqual(bindings("done == 2"), [.null])
        try expectEqual(bindings("priority == 2.5"), [.typed(.decimal(2.5))])
        try expectEqual(bindings("priority == 2"), [.integer(2)])
        try expectEqual(bindings("amount == 2"), [.real(2)])
        try expectEqual(bindings("cost == 2.1"), [.typed(.decimal(Decimal(string: "2.1")!))])
        try expectEqual(bindings("dueDate > %@", SampleStore.date(5)), [.typed(.time(5))])
        try expectEqual(bindings("code == %@", SampleStore.uuid(5)), [.typed(.uuid(SampleStore.uuid(5)))])
        try expectEqual(bindings("text ==[cd] 'ÀSS'"), [.text("ass")])
        try expectEqual(bindings("text BEGINSWITH[c] 'Sß'"), [.text("sss"), .text("sst")])
        try expectEqual(bindings("text LIKE 'a_%*?'"), [.text(#"a\_\%%_"#)])
        try expectEqual(bindings("done IN %@", [1, 0]), [.typed(.list([.integer(1), .integer(0)], .integer))])
        try expectEqual(bindings("text IN[c] %@", ["A"]), [.typed(.list([.text("a")], .text))])
        try expectEqual(
            bindings("priority IN %@", [1, 2.5] as [Any]),
            [.typed(.list([.typed(.decimal(1)), .typed(.decimal(2.5))], .decimal))]
        )
    }

    @Test func `A constant collection is one array, however short it is`() throws {
        for count in [1, 3, 64, 65, 500] {
            let numbers = Array(1...count)
            let plan = FetchPlan(
                entity: "Task",
                predicate: try parsed("priority IN %@", numbers),
                columns: [.primaryKey]
            )
            let statement = try translator.translate(plan).statement
            #expect(statement.text.contains(#" WHERE t0."priority" = ANY($1) "#))
            expectEqual(statement.bindings, [.typed(.list(numbers.map { .integer(Int64($0)) }, .integer))])
        }
        let any = FetchPlan(entity: "Task", predicate: try parsed("ANY %@ > priority", [1, 2]))
        #expect(
            try text(any).contains(
                #"EXISTS (SELECT 1 FROM unnest(CAST($1 AS bigint[])) AS t1(value) WHERE t1.value > t0."priority")"#
            )
        )
    }

    @Test func `Order, pages and counts are the dialect's`() throws {
        let sort = [
            SortTerm(["text"]), SortTerm(["dueDate"], ascending: false), SortTerm(["objectID"]),
        ]
        try expectEqual(
            text(FetchPlan(entity: "Task", sort: sort, limit: 5, offset: 2, columns: [.primaryKey])),
            #"SELECT t0."_id" FROM "s"."Task" t0 ORDER BY t0."text" NULLS FIRST, "#
                + #"t0."dueDate" DESC NULLS LAST, t0."_id" LIMIT $1 OFFSET $2"#
        )
        let skipping = FetchPlan(entity: "Task", offset: 2, form: .count)
        try expectEqual(text(skipping), #"SELECT COUNT(*) FROM (SELECT 1 FROM "s"."Task" t0 OFFSET $1) AS part"#)
        try expectEqual(translator.translate(skipping).statement.bindings, [.integer(2)])
    }

    @Test(
        arguments: [
            "text.capitalizedString == 'A'", "text MATCHES note", "text MATCHES '(a)\\\\1'", "text <[l] 'a'",
            "TERNARY(done == YES, priority, amount) / 2 == 1",
        ]
    )
    func `What the dialect lacks is left to objects`(_ format: String) throws {
        let plan = FetchPlan(entity: "Task", predicate: try parsed("priority == 1 AND \(format)"))
        let error = #expect(throws: TranslationError.self) { try translator.translate(plan) }
        expectEqual(error?.kind, .needsMemory, "\(error as Any)")
        let split = try translator.split(plan)
        expectEqual(split.plan.predicate.map { PredicatePrinter.print($0) }, "priority == 1")
        let sort = [SortTerm(["text"], selector: "localizedStandardCompare:")]
        #expect(try !translator.split(FetchPlan(entity: "Task", sort: sort)).isSorted)
    }

    @Test func `Random predicates have nothing of SQLite's spelling`() throws {
        var random = SeededNumbers(seed: UInt64.random(in: 0...UInt64.max))
        let store = try RandomPredicates.makeStore(&random)
        var translated = 0
        for _ in 0..<2_000 {
            var generator = RandomPredicates(random: random, store: store)
            let entity = generator.random.pick(["Task", "Task", "Place", "Tag", "Step"])
            let plan = FetchPlan(entity: entity, predicate: generator.predicate(entity), limit: 3)
            random = generator.random
            do {
                let statement = try translator.translate(plan, constants: store.resolvers).statement
                expectEqual(Self.foreignSpellings(statement.text), [], "\(statement.text)")
                let marks = statement.text.matches(of: /\$([0-9]+)/).compactMap { Int($0.output.1) }
                expectEqual(Set(marks), Set(1...statement.bindings.count), "\(statement.text)")
                translated += 1
            } catch let error as TranslationError {
                #expect(error.kind == .needsMemory || error.kind == .incomparable, "\(error)")
            }
        }
        #expect(translated > 1_000)
    }

    @Test func `A sort that overlooks case is one of folded texts`() throws {
        let sort = [SortTerm(["text"], ascending: false, selector: "caseInsensitiveCompare:")]
        try expectEqual(
            text(FetchPlan(entity: "Task", sort: sort, columns: [.primaryKey])),
            #"SELECT t0."_id" FROM "s"."Task" t0 ORDER BY "s"."mg_fold_case"(t0."text") DESC NULLS LAST, t0."_id""#
        )
    }

    @Test(
        arguments: [
            "text CONTAINS[c] 'a'", "text ==[cd] 'a'", "text MATCHES[d] 'a'", "amount + 1 == 2", "priority & 1 == 1",
            "sqrt(amount) == 1", "cost / 3 == 1", "text LIKE 'a*'",
        ]
    )
    func `Nothing names functions that the database does not have`(_ format: String) throws {
        let schema = StoreSchema(model: SampleModel.model, dialect: PostgreSQLDialect(hasFunctions: false))
        let plan = FetchPlan(entity: "Task", predicate: try parsed(format))
        let error = #expect(throws: TranslationError.self) { try FetchTranslator(schema: schema).translate(plan) }
        expectEqual(error?.kind, .needsMemory)
        let plain = FetchPlan(
            entity: "Task",
            predicate: try parsed("text CONTAINS 'a' AND text MATCHES 'a+' AND amount > effort AND priority / 2 == 1")
        )
        #expect(try !FetchTranslator(schema: schema).translate(plain).statement.text.contains("mg_"))
    }

    @Test func `The version of the functions is that of their texts`() {
        // FNV-1a. If a function or one of its tables changes, the functions need another version.
        let definitions = PostgreSQLFunctions(PostgreSQLDialect()).statements.joined(separator: ";")
        let hash = definitions.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        expectEqual(PostgreSQLFunctions.version, 2, "\(String(hash, radix: 16))")
        expectEqual(hash, 0x9CD6_57AE_0422_6086, "\(String(hash, radix: 16))")
    }

    @Test func `The names of the functions are those in their statements`() {
        let start = "CREATE OR REPLACE FUNCTION \""
        let names = PostgreSQLFunctions(PostgreSQLDialect()).statements.filter { $0.hasPrefix(start) }
            .map { statement in String(statement.dropFirst(start.count).prefix(while: { $0 != "\"" })) }
        expectEqual(Set(names), Set(PostgreSQLFunctions.names))
    }

    @Test func `Values of each type are literals`() {
        let dialect = Self.dialect
        expectEqual(dialect.literal(.text(#"a'\"#)), #"E'a''\\'"#)
        // A sign before a combining mark forms one character with it.
        expectEqual(dialect.literal(.text("a'\u{301}\\\u{301}")), "E'a''\u{301}\\\\\u{301}'")
        expectEqual(dialect.identifier("a\"\u{301}"), "\"a\"\"\u{301}\"")
        expectEqual(SQLiteDialect().literal(.text("'\u{301}")), "'''\u{301}'")
        expectEqual(dialect.literal(.typed(.decimal(Decimal(string: "1.50")!))), "1.5::numeric")
        expectEqual(dialect.literal(.typed(.boolean(true))), "TRUE")
        let start = "timestamptz '2001-01-01 00:00:00+00'"
        expectEqual(dialect.literal(.typed(.time(1.5))), "(\(start) + '1500000 microseconds'::interval)")
        // A model may have any default value; the server rejects this one.
        expectEqual(dialect.literal(.typed(.time(1e300))), "(\(start) + '\(1e300 * 1e6) microseconds'::interval)")
        expectEqual(dialect.literal(.blob(Data([1, 255]))), #"'\x01ff'::bytea"#)
        expectEqual(dialect.literal(.real(-.infinity)), "'-Infinity'::double precision")
        expectEqual(dialect.literal(dialect.list(keys: [3, 4])), "ARRAY[3, 4]::bigint[]")
    }

    @Test func `A printed statement has its values in the places of the marks`() {
        let sql = #"SELECT '$1' FROM "$2" WHERE a = $2 AND b = $1 AND c = $3"#
        let statement = SQLStatement(sql, [.text("x'y"), .integer(7)])
        expectEqual(
            statement.printed(in: Self.dialect),
            #"SELECT '$1' FROM "$2" WHERE a = 7 AND b = 'x''y' AND c = $3"#
        )
    }

    /// The SQLite-only spellings in a text, and the names that should be quoted.
    private static func foreignSpellings(_ sql: String) -> [String] {
        let words = [
            "?", "json_each", "IFNULL", "GROUP_CONCAT", "PRINTF", "MG", "NSC", "COLLATE BINARY", "AS REAL", "INSERT OR",
            "INTEGER", "VARCHAR", "BLOB", "TIMESTAMP ", "NOT NULL AND 0", "WHERE 0", "LIMIT -1", "IS t", "IS $",
            "IS NOT $", "IS NOT t",
        ]
        let unquoted = sql.matches(of: /[^"A-Z_0-9]Z_?[A-Z0-9]+/).map { String($0.output) }
        return words.filter { sql.contains($0) } + unquoted
    }
}
