// Batch inserts over rows that exist already: their results are those of SQLite, which looks up each row by itself, and
// their number of round trips does not depend on the number of rows.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import GraphSupport
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: upserts", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLUpsertTests {
    /// The merge policies that resolve conflicts.
    private static let policies = [
        NSMergePolicy.mergeByPropertyObjectTrump, .overwrite, .mergeByPropertyStoreTrump, .rollback,
    ]

    private static func model() -> NSManagedObjectModel {
        let account = NSEntityDescription(
            "Account",
            [
                NSAttributeDescription("code"), NSAttributeDescription("email"), NSAttributeDescription("kind"),
                NSAttributeDescription("number", .integer64AttributeType, default: 1),
                NSAttributeDescription("amount", .integer64AttributeType), NSAttributeDescription("note"),
            ]
        )
        account.uniquenessConstraints = [["code"], ["email"], ["kind", "number"]]
        return NSManagedObjectModel([account])
    }

    private func stack(_ type: StoreType) throws -> EngineStack { try EngineStack(type, model: Self.model()) }

    /// Canonically equivalent texts, which are equal in Swift, differ in their length.
    private static func text(_ object: NSManagedObject) -> String {
        let values = ["code", "email", "kind", "number", "amount", "note"].map { key in
            object.value(forKey: key).map { "\($0)" } ?? "-"
        }
        return values.joined(separator: " ") + " \(values[0].utf8.count)"
    }

    /// The text of each inserted or changed row, in the order of the result; nil if a value would occur
    /// twice.
    private func insert(_ rows: [[String: Any]], _ policy: NSMergePolicy, _ stack: EngineStack) throws -> [String]? {
        try stack.elsewhere { (context) throws -> [String]? in
            context.mergePolicy = policy
            let request = NSBatchInsertRequest(entityName: "Account", objects: rows)
            request.resultType = .objectIDs
            do {
                let result = try context.execute(request) as? NSBatchInsertResult
                let identifiers = try #require(result?.result as? [NSManagedObjectID])
                let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account"))
                let rowTexts = Dictionary(uniqueKeysWithValues: objects.map { ($0.objectID, Self.text($0)) })
                return identifiers.map { rowTexts[$0] ?? "missing" }
            } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
                return nil
            }
        }
    }

    private func content(_ stack: EngineStack) throws -> [String] {
        try stack.elsewhere { (context) throws in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account")).map(Self.text).sorted()
        }
    }

    // MARK: Round trips

    @Test("10,000 rows, half of which exist, take fewer than 40 round trips", arguments: policies)
    func fewRoundTrips(policy: NSMergePolicy) throws {
        func row(_ number: Int, _ amount: Int) -> [String: Any] {
            ["code": "c\(number)", "email": "c\(number)@example.com", "amount": amount]
        }
        let existing = (0..<5_000).map { row(2 * $0, -1).merging(["note": "old"]) { $1 } }
        var rows: [[String: Any]] = []
        for number in 0..<9_500 {
            rows.append(row(number, number))
            // Collides with a row of the same request, in the same portion or in an earlier one.
            if number % 19 == 18 { rows.append(row(number - (number % 38 == 18 ? 9 : number / 2), 100_000 + number)) }
        }
        expectEqual(rows.count, 10_000)
        let (database, file) = (try stack(.postgreSQL), try stack(.sqlite))
        let store = try #require(database.coordinator.persistentStores.first as? any EngineStore)
        let engine = try #require(store.engine as? PostgreSQLEngine)
        var counts: [Int?] = []
        for stack in [database, file] {
            try stack.run { (context) throws in
                try context.execute(NSBatchInsertRequest(entityName: "Account", objects: existing))
                context.mergePolicy = policy
                let request = NSBatchInsertRequest(entityName: "Account", objects: rows)
                request.resultType = .count
                let before = engine.roundTrips
                counts.append((try context.execute(request) as? NSBatchInsertResult)?.result as? Int)
                #expect(engine.roundTrips - before < 40)
            }
        }
        expectEqual(counts[0], counts[1])
        let (found, expected) = (try content(database), try content(file))
        expectEqual(found.count, 9_750)
        expectEqual(found.count, expected.count)
        expectNil(zip(found, expected).first { $0 != $1 }.map { "\($0)" })
    }

    // MARK: Results

    /// Rows whose unique values often collide with those of others, in one constraint or in several.
    private static func rows(_ state: inout UInt64) -> [[String: Any]] {
        func pick(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let texts = ["a", "b", "c", "d", "\u{E9}", "e\u{301}"]
        var rows: [[String: Any]] = []
        for _ in 0...pick(6) {
            var row: [String: Any] = ["amount": pick(1_000)]
            for key in ["code", "email"] {
                switch pick(6) {
                case 0: break
                case 1: row[key] = NSNull()
                default: row[key] = texts[pick(texts.count)]
                }
            }
            switch pick(9) {
            case 0: row["kind"] = NSNull()
            case 1, 2: row["kind"] = "k\(pick(3))"
            default: break
            }
            if pick(4) == 0 { row["number"] = pick(3) }
            if pick(4) == 0 { row["note"] = "n\(pick(9))" }
            rows.append(row)
        }
        return rows
    }

    @Test("Rows that collide in any way have the results of SQLite", arguments: policies, [1, 2, 3, 4])
    func collisions(policy: NSMergePolicy, seed: Int) throws {
        let (database, file) = (try stack(.postgreSQL), try stack(.sqlite))
        var state = UInt64(seed)
        var successes = 0
        for round in 0..<60 {
            let rows = Self.rows(&state)
            let expected = try insert(rows, policy, file)
            try expectEqual(insert(rows, policy, database), expected, "round \(round): \(rows)")
            if expected?.isEmpty == false { successes += 1 }
            let content = try content(file)
            try expectEqual(self.content(database), content, "round \(round): \(rows)")
        }
        #expect(successes > 5)
    }

    @Test("A row that takes over a unique value which a row before it gives up is inserted")
    func releasedValue() throws {
        let rows: [[String: Any]] = [
            ["code": "a", "email": NSNull(), "amount": 2], ["code": "b", "email": "x", "amount": 3],
            ["code": "a", "email": "y", "amount": 4], ["code": "c", "email": "z", "amount": 5],
        ]
        for type in [StoreType.sqlite, .postgreSQL] {
            let stack = try stack(type)
            _ = try insert([["code": "a", "email": "x", "amount": 1]], .mergeByPropertyObjectTrump, stack)
            let contents = try insert(rows, .mergeByPropertyObjectTrump, stack)
            expectEqual(contents, ["a y - 1 4 - 1", "b x - 1 3 - 1", "c z - 1 5 - 1"], "\(type)")
        }
    }
}
