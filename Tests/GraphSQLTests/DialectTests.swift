import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import TestSupport
import Testing

@Suite("Another dialect")
struct DialectTests {
    private static let schema = StoreSchema(model: SampleModel.model, dialect: OtherDialect())
    private let translator = FetchTranslator(schema: schema) { entity, property in
        entity == "Task" && property == "isOverdue"
    }

    static let examples: [DialectExample] = [
        DialectExample("priority == 3 AND text == 'a'", #"t0."ZPRIORITY" = $1 AND t0."ZTEXT" = $2"#),
        DialectExample("effort == priority", #"t0."ZEFFORT" IS NOT DISTINCT FROM t0."ZPRIORITY""#),
        DialectExample("priority != 3", #"t0."ZPRIORITY" IS DISTINCT FROM $1"#),
        DialectExample("NOT priority < 3", #"(t0."ZPRIORITY" < $1) IS NOT TRUE"#),
        DialectExample("priority < nil", "FALSE"),
        DialectExample("done == YES", #"t0."ZDONE" = $1"#),
        DialectExample("text CONTAINS[cd] '?'", #"mg_contains(t0."ZTEXT", $1, 3)"#),
        DialectExample("text !=[c] 'x'", #"NOT mg_equal(t0."ZTEXT", $1, 1)"#),
        DialectExample("text <[cd] 'f'", #"mg_order(t0."ZTEXT", $1, 3) < 0"#),
        DialectExample("text BEGINSWITH 'S'", #"t0."ZTEXT" >= $1 AND t0."ZTEXT" < $2"#),
        DialectExample("uppercase(text) == 'A'", #"mg_upper(t0."ZTEXT") = $1"#),
        DialectExample("bytes.length == 3", #"octet_length(t0."ZBYTES") = $1"#),
        DialectExample("priority IN {1, 3}", #"t0."ZPRIORITY" IN ($1, $2)"#),
        DialectExample("cost / 2 == 1", #"(CAST(t0."ZCOST" AS DOUBLE PRECISION) / NULLIF($1, 0)) = $2"#),
        DialectExample("noindex:(priority) == 1", #"t0."ZPRIORITY" = $1"#),
        DialectExample(
            "location.name == 'x'",
            #"t1."ZNAME" = $1"#
        ),
        DialectExample(
            "tags.@sum.rank == 2",
            #"(SELECT COALESCE(SUM(t2."ZRANK"), 0) FROM "Z_6TASKS" t1 LEFT OUTER JOIN "ZTAG" t2 ON t1."Z_6TAGS" = t2."Z_PK""#
                + #" WHERE t1."Z_7TASKS" = t0."Z_PK") = $1"#
        ),
        DialectExample(
            "median:(children.priority) == 3",
            #"(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY t1."ZPRIORITY") FROM "ZTASK" t1"#
                + #" WHERE t1."ZPARENT" = t0."Z_PK") = $1"#
        ),
        DialectExample(
            "max({priority, effort}) == 7",
            #"(SELECT MAX(v) FROM (SELECT t0."ZPRIORITY" AS v UNION ALL SELECT t0."ZEFFORT" AS v) AS part) = $1"#
        ),
        DialectExample(
            "steps[2] == nil",
            #"(SELECT t1."Z_PK" FROM "ZSTEP" t1 WHERE t1."ZTASK" = t0."Z_PK" ORDER BY t1."Z_FOK_TASK" NULLS FIRST"#
                + " LIMIT CASE WHEN $1 >= 0 THEN 1 ELSE 0 END OFFSET GREATEST($1, 0)) IS NULL"
        ),
    ]

    private func text(_ plan: FetchPlan) throws -> String { try translator.translate(plan).statement.text }

    @Test(arguments: examples)
    func `Each construct has the dialect's form`(_ example: DialectExample) throws {
        let plan = FetchPlan(entity: "Task", predicate: try parsed(example.format), columns: [.primaryKey])
        let text = try text(plan)
        #expect(text.hasPrefix(#"SELECT t0."Z_PK" FROM "ZTASK" t0 "#))
        #expect(text.hasSuffix(#" WHERE \#(example.sql) ORDER BY t0."Z_PK""#), "\(text)")
        #expect(Self.foreignSpellings(text) == [])
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
            #expect(statement.text.contains(#" WHERE t0."ZPRIORITY" = ANY($1::bigint[]) "#))
            let list = numbers.map(String.init).joined(separator: ",")
            #expect(statement.bindings == [.text("{\(list)}")])
        }
        let folded = FetchPlan(entity: "Task", predicate: try parsed("text IN[c] %@", ["a\"", "\\b"]))
        let statement = try translator.translate(folded).statement
        #expect(
            statement.text.contains(
                #"EXISTS (SELECT 1 FROM unnest($1::text[]) AS elements(value) WHERE mg_equal(t0."ZTEXT", elements.value, 1))"#
            )
        )
        #expect(statement.bindings == [.text(#"{"a\"","\\b"}"#)])
        let any = FetchPlan(entity: "Task", predicate: try parsed("ANY %@ > priority", [1, 2]))
        #expect(
            try text(any).contains(
                #"EXISTS (SELECT 1 FROM unnest($1::bigint[]) AS t1(value) WHERE t1.value > t0."ZPRIORITY")"#
            )
        )
    }

    @Test func `Order, pages and counts are the dialect's`() throws {
        let sort = [
            SortTerm(["text"], selector: "localizedCompare:"), SortTerm(["dueDate"], ascending: false),
            SortTerm(["objectID"]),
        ]
        #expect(
            try text(FetchPlan(entity: "Task", sort: sort, limit: 5, offset: 2, columns: [.primaryKey]))
                == #"SELECT t0."Z_PK" FROM "ZTASK" t0 ORDER BY t0."ZTEXT" COLLATE "und-x-icu" NULLS FIRST, "#
                + #"t0."ZDUEDATE" DESC NULLS LAST, t0."Z_PK" LIMIT $1 OFFSET $2"#
        )
        let skipping = FetchPlan(entity: "Task", offset: 2, form: .count)
        #expect(
            try text(skipping) == #"SELECT COUNT(*) FROM (SELECT 1 FROM "ZTASK" t0 OFFSET $1) AS part"#
        )
        #expect(try translator.translate(skipping).statement.bindings == [.integer(2)])
    }

    @Test(arguments: ["text MATCHES 'a.*'", "text.capitalizedString == 'A'"])
    func `What the dialect lacks is left to objects`(_ format: String) throws {
        let plan = FetchPlan(entity: "Task", predicate: try parsed("priority == 1 AND \(format)"))
        let error = #expect(throws: TranslationError.self) { try translator.translate(plan) }
        #expect(error?.kind == .needsMemory && error?.description.contains("PostgreSQL") == true)
        let split = try translator.split(plan)
        #expect(split.plan.predicate.map { PredicatePrinter.print($0) } == "priority == 1")
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
                #expect(Self.foreignSpellings(statement.text) == [], "\(statement.text)")
                let marks = statement.text.matches(of: /\$([0-9]+)/).compactMap { Int($0.output.1) }
                #expect(Set(marks) == Set(1...statement.bindings.count), "\(statement.text)")
                translated += 1
            } catch let error as TranslationError {
                #expect(error.kind == .needsMemory || error.kind == .incomparable, "\(error)")
            }
        }
        #expect(translated > 1_000)
    }

    @Test func `Tables, indexes and the statements of rows are the dialect's`() throws {
        let schema = Self.schema
        #expect(
            schema.createStatements.contains(
                #"CREATE TABLE "ZSTEP" ( "Z_PK" bigint PRIMARY KEY, "Z_ENT" bigint, "Z_OPT" bigint, "ZWEIGHT" integer, "#
                    + #""ZTASK" bigint, "Z_FOK_TASK" bigint, "ZTITLE" text COLLATE "C" )"#
            )
        )
        #expect(schema.triggers.isEmpty)
        let task = try #require(RowStatements(schema: schema, entityName: "Step"))
        #expect(
            task.update(["ZTITLE", "ZWEIGHT"])
                == #"UPDATE "ZSTEP" SET "ZTITLE" = $1, "ZWEIGHT" = $2, "Z_OPT" = "Z_OPT" + 1 WHERE "Z_PK" = $3 "#
                + #"AND "Z_OPT" = $4"#
        )
        #expect(task.selectMany(["Z_PK", nil]) == #"SELECT "Z_PK", NULL FROM "ZSTEP" WHERE "Z_PK" = ANY($1)"#)
        #expect(schema.dialect.list(keys: [3, 4]) == .text("{3,4}"))
        var texts = schema.createStatements + schema.seedStatements.map(\.text)
        texts += HistorySchema.statements(in: schema.dialect)
        for name in schema.entityOrder {
            let rows = try #require(RowStatements(schema: schema, entityName: name))
            texts += [rows.insert, rows.append, rows.delete, rows.deleteAnyVersion, rows.giveVersion, rows.deleteMany]
            texts += [rows.updateMany(rows.columns), rows.updateAnyVersion(rows.columns), rows.selectVersion]
            for property in schema.entities[name]?.properties.values.map({ $0 }) ?? [] {
                switch property {
                case .manyToMany(let join):
                    let joins = JoinStatements(join, dialect: schema.dialect)
                    #expect(joins.insert.hasSuffix("DO NOTHING") || joins.insert.contains("DO UPDATE SET"))
                    texts += [joins.insert, joins.delete, joins.deleteAll, joins.selectOthers]
                case .toManyInverse(let inverse):
                    guard let order = OrderStatements(inverse, dialect: schema.dialect) else { continue }
                    texts += [order.allKeys, order.someKeys, order.lastOfOthers, order.update]
                case .attribute, .toOne: break
                }
            }
        }
        for text in texts { #expect(Self.foreignSpellings(text) == [], "\(text)") }
    }

    @Test func `A printed statement has its values in the places of the marks`() {
        let text = #"SELECT '$1' FROM "$2" WHERE a = $2 AND b = $1 AND c = $3"#
        let statement = SQLStatement(text, [.text("x'y"), .integer(7)])
        #expect(
            statement.printed(in: OtherDialect())
                == #"SELECT '$1' FROM "$2" WHERE a = 7 AND b = 'x''y' AND c = $3"#
        )
    }

    /// The SQLite-only spellings in a text, and the names that should be quoted.
    private static func foreignSpellings(_ text: String) -> [String] {
        let words = [
            "?", "json_each", "IFNULL", "GROUP_CONCAT", "PRINTF", "MG", "NSC", "COLLATE BINARY", "AS REAL", "INSERT OR",
            "INTEGER", "VARCHAR", "BLOB", "TIMESTAMP ", "NOT NULL AND 0", "WHERE 0", "LIMIT -1", "IS t", "IS $",
            "IS NOT $", "IS NOT t",
        ]
        let unquoted = text.matches(of: /[^"A-Z_0-9]Z_?[A-Z0-9]+/).map { String($0.output) }
        return words.filter { text.contains($0) } + unquoted
    }
}
