import ExpectationSupport
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphPredicates
import GraphSQL
import PostgreSQLSupport
import TestSupport
import Testing

@Suite("Agreement of PostgreSQL", .serialized, .enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLAgreementTests {
    private let connection: PostgreSQLConnection
    private let checks: PostgreSQLChecks
    private let seed: UInt64
    private let count: Int

    init() throws {
        let server = try PostgreSQLServer.shared()
        connection = try PostgreSQLConnection(DatabaseAddress(server.address(try server.makeDatabase())))
        try SampleDatabase.install(connection)
        checks = PostgreSQLChecks(connection: connection)
        let environment = ProcessInfo.processInfo.environment
        seed = environment["PREDICATE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        count = environment["PREDICATE_CASES"].flatMap { Int($0) } ?? 500
    }

    @Test(arguments: [false, true])
    func `Random predicates admit the same rows in PostgreSQL, in SQLite and in memory`(_ isWide: Bool) throws {
        let outcome = try checks.predicates(count, seed: seed, isWide: isWide)
        let disagreements = outcome.disagreements
        #expect(disagreements.isEmpty, "PREDICATE_SEED=\(seed)\n\(disagreements.prefix(3).joined(separator: "\n\n"))")
        #expect(outcome.leftToMemory < count / 20)
        #expect(outcome.answered > count * 9 / 10 && outcome.admitted > count)
    }

    @Test func `Without functions the same rows are admitted, or the predicate is left to memory`() throws {
        // Without the store's functions, a sum beyond the range of real numbers is an error of the database.
        let outcome = try checks.predicates(count, seed: seed, isWide: false, hasFunctions: false)
        let disagreements = outcome.disagreements
        #expect(disagreements.isEmpty, "PREDICATE_SEED=\(seed)\n\(disagreements.prefix(3).joined(separator: "\n\n"))")
        print("\(outcome.leftToMemory) of \(count) predicates need functions")
        #expect(outcome.answered > count / 4 && outcome.leftToMemory > count / 20)
    }

    @Test func `Random dictionaries are those of SQLite`() throws {
        let disagreements = try checks.dictionaries(count / 3, seed: seed)
        #expect(disagreements.isEmpty, "PREDICATE_SEED=\(seed)\n\(disagreements.prefix(3).joined(separator: "\n\n"))")
    }

    @Test func `Each construct that SQLite has admits the same rows`() throws {
        let store = try SampleStore.known()
        let database = try SampleDatabase(store, SampleModel.model, connection)
        typealias Examples = SQLTextTests
        for example in Examples.comparisons + Examples.texts + Examples.lists + Examples.paths + Examples.computed {
            try expectEqual(database.keys("Task", try parsed(example.format)), example.keys, "\(example.format)")
        }
        var leftToMemory: [String] = []
        for format in PredicateSemanticsTests.formats {
            let node = try parsed(format)
            do {
                try expectEqual(database.keys("Task", node), store.keysInMemory("Task", node), "\(format)")
            } catch let error as TranslationError where error.kind == .needsMemory {
                leftToMemory.append(format)
            }
        }
        #expect(leftToMemory.count < 12, "\(leftToMemory)")
    }

    @Test func `Random patterns match the same texts`() throws {
        let (converted, found) = try checks.patterns(count, seed: seed)
        #expect(found.isEmpty, "PREDICATE_SEED=\(seed)\n\(found.prefix(5).joined(separator: "\n"))")
        #expect(converted > count / 2)
    }

    @Test(
        arguments: [
            ("", ""), ("A", "z"), ("x\u{323}Q", "z"), ("\u{1F1E6}", "\u{1F1E7}"), ("\u{915}\u{94D}", "\u{915}"),
            ("\u{2764}\u{200D}", "\u{200D}\u{2764}"), ("ß\u{345}Ä", "İ"),
        ]
    )
    func `Every scalar has the same folds, cases and lengths`(_ prefix: String, _ suffix: String) throws {
        let isLong = ProcessInfo.processInfo.environment["SCALARS"] == "all"
        let (alike, others) = isLong ? (1, 1) : prefix.isEmpty ? (101, 1) : (401, 11)
        let disagreements = try checks.scalars(after: prefix, before: suffix, alike: alike, others: others, seed: seed)
        #expect(disagreements.isEmpty, "PREDICATE_SEED=\(seed)\n\(disagreements.prefix(5).joined(separator: "\n"))")
    }

    @Test func `Functions of extreme numbers raise no error and have the evaluator's results`() throws {
        let disagreements = try checks.numbers()
        #expect(disagreements.isEmpty, "\(disagreements.prefix(8).joined(separator: "\n"))")
    }

    @Test func `Indexes serve folded texts, prefixes, lists and sorts`() throws {
        var random = SeededNumbers(seed: seed)
        let store = try RandomPredicates.makeStore(&random)
        let database = try SampleDatabase(store, SampleModel.model, connection)
        let name = SampleDatabase.schemaName
        let dialect = database.schema.dialect
        for statement in [
            "INSERT INTO \(name).\"Task\"(_id, _version, text, done, code) SELECT n, 1, 'Text ' || n, n % 100 = 0, "
                + "gen_random_uuid() FROM generate_series(100, 20000) AS n",
            "CREATE INDEX ON \(name).\"Task\" (\(dialect.indexed("text", isAscending: true)))",
            "CREATE INDEX ON \(name).\"Task\" (\(name).mg_fold(text))", "CREATE INDEX ON \(name).\"Task\" (code)",
            "CREATE INDEX ON \(name).\"Task\" (done)", "ANALYZE \(name).\"Task\"",
        ] {
            try connection.execute(statement)
        }
        let arguments: [(String, Any?)] = [
            ("text == %@", "Text 7"), ("text BEGINSWITH %@", "Text 77"), ("text IN %@", ["Text 7", "Text 9"]),
            ("text ==[cd] %@", "TEXT 7"), ("text BEGINSWITH[cd] %@", "tÉxt 777"), ("text IN[cd] %@", ["TEXT 7"]),
            ("code == %@", UUID()), ("done == %@", true), ("done == %@", 1),
        ]
        for (format, argument) in arguments {
            let plan = FetchPlan(entity: "Task", predicate: try parsed(format, argument), columns: [.stored("text")])
            let explained = try explain(database.translate(plan).statement)
            #expect(explained.contains("Index"), "\(format): \(explained)")
        }
        let sorted = FetchPlan(entity: "Task", sort: [SortTerm(["text"])], limit: 5)
        #expect(try explain(database.translate(sorted).statement).contains("Index"))
    }

    private func explain(_ statement: SQLStatement) throws -> String {
        let result = try connection.execute(
            SQLStatement("EXPLAIN " + statement.text, statement.bindings),
            prepares: false
        )
        return try (0..<result.count).compactMap { try result.string(0, $0) }.joined(separator: "\n")
    }

    @Test func `Integers and real numbers are compared exactly`() throws {
        let store = try SampleStore()
        store.add("Task", ["effort": Int.max, "amount": 0x1p63])
        store.add("Task", ["effort": (1 << 53) + 1, "amount": 0x1p53])
        store.add("Task", ["effort": 1 << 53, "amount": 0x1p53, "cost": Decimal(string: "0.1") as Any])
        let decimal = try #require(Decimal(string: "12345678901234567890.123456789"))
        store.add("Task", ["effort": 0, "amount": -1e-200, "cost": decimal])
        store.add("Task", ["effort": 3, "amount": Double.infinity])
        try store.write()
        let database = try SampleDatabase(store, SampleModel.model, connection)
        for format in [
            "effort == amount", "effort < amount", "effort > amount", "effort >= 9007199254740992.0",
            "effort > 9007199254740992.5", "effort * effort > 9007199254740993", "effort + effort < 0", "cost == 0.1",
            "cost * 3 == 0.3", "effort / 2 == 4503599627370496", "amount * 10 > amount", "effort << 63 < 0",
            "median:({CAST('0.1', 'NSDecimalNumber'), amount}) > 1e300", "max:({cost, amount}) > 1e300",
            "cost + amount > 1e300", "0 - amount < -1e300", "effort >= 1 AND cost * amount > 1",
        ] {
            let node = try parsed(format)
            try expectEqual(database.keys("Task", node), store.keysInMemory("Task", node), "\(format)")
        }
        try expectEqual(database.keys("Task", parsed("cost == %@", decimal)), [4])
        try expectEqual(database.keys("Task", parsed("cost - %@ == 1", decimal - 1)), [4])
    }
}
