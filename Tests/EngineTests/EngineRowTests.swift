// Tests values, keys, versions, conflicts and transactions of rows. Every engine passes these tests.
import ExpectationSupport
import Foundation
import GraphEngine
import Testing

@Suite("Engines: rows")
struct EngineRowTests {
    private static let moment = 700_000_000.25
    private static let values: [String: RowValue] = [
        "boolean": .integer(1), "data": .data(Data([0, 1, 255])), "date": .real(moment),
        "decimal": .decimal(Decimal(string: "12.5") ?? 0), "double": .real(-0.1), "float": .real(0.5),
        "int16": .integer(-32_768), "int32": .integer(Int64(Int32.max)), "int64": .integer(.min),
        "uri": .url(URL(filePath: "/a b")), "uuid": .uuid(UUID()),
    ]

    @Test(arguments: EngineKind.allCases)
    func valuesOfEveryTypeComeOutAsTheyWentIn(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let values = Self.values.merging(["string": .string(kind.unusualText)]) { $1 }
        let keys = try tried.insert("Thing", [values, [:]])
        let batch = try tried.reading { try $0.rows(tree: try tried.layout("Thing").tree, keys: keys) }
        try expectEqual(batch.kinds, (tried.layout("Thing").tree.kinds))
        let full = try #require(TriedEngine.keys(batch).firstIndex(of: keys[0]))
        for (name, value) in values {
            let stored = try tried.value("Thing", name, batch, full)
            switch value {
            case .uuid(let uuid): expectEqual(stored, .data(withUnsafeBytes(of: uuid.uuid) { Data($0) }))
            case .url(let url): expectEqual(stored, .string(url.absoluteString))
            case .decimal(let decimal): expectEqual(stored, .string(decimal.description))
            default: expectEqual(stored, value, "\(name)")
            }
            try expectEqual(tried.value("Thing", name, batch, 1 - full), .null)
        }
        expectEqual(batch.integer(TreeLayout.versionColumn, 0), 1)
    }

    @Test(arguments: EngineKind.allCases)
    func aLargeValueComesOutOfWhereverItStands(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let key = try tried.insert("Thing", [["large": .data(data)]])[0]
        let batch = try tried.reading { try $0.rows(tree: try tried.layout("Thing").tree, keys: [key]) }
        guard case .data(let stored) = try tried.value("Thing", "large", batch, 0) else {
            Issue.record("no data")
            return
        }
        if let name = LargeValue.name(in: stored) {
            try expectEqual(tried.engine.externalData(named: name), data)
        } else {
            expectEqual(LargeValue.inlineData(in: stored), data)
        }
    }

    @Test(arguments: EngineKind.allCases)
    func theKeysOfACommittedTransactionAreGivenOnce(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let tree = try tried.layout("Dog").tree
        var committedKeys: Set<Int64> = []
        for isCommitted in [true, true, false, true] {
            let session = try tried.engine.beginSave(SaveOrigin())
            let keys = Array(try session.reserveKeys(tree: tree, count: 3).joined())
            expectEqual(keys.count, 3)
            #expect(keys.allSatisfy { $0 > 0 })
            expectEqual(keys, keys.sorted())
            #expect(committedKeys.isDisjoint(with: keys))
            if isCommitted {
                // Even if nothing was written.
                try session.commit()
                committedKeys.formUnion(keys)
            } else {
                session.rollback()
            }
        }
        // A subentity shares the keys, and the key of a deleted row is not reused.
        let puppy = try tried.insert("Puppy", [[:]])[0]
        #expect(!committedKeys.contains(puppy))
        var changes = StoreChanges()
        changes.deletes = [try tried.change("Puppy", puppy, version: 1, [:])]
        try tried.apply(changes)
        #expect(try tried.insert("Animal", [[:]]).allSatisfy { !committedKeys.contains($0) && $0 != puppy })
    }

    @Test(arguments: EngineKind.allCases)
    func anUpdateSetsItsSlotsAndCountsTheVersion(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let key = try tried.insert("Owner", [["name": .string("Ann"), "age": .integer(30)]])[0]
        var changes = StoreChanges()
        changes.updates = [try tried.change("Owner", key, version: 1, ["name": .string("Bea")])]
        try tried.apply(changes)
        let batch = try tried.reading { try $0.rows(tree: try tried.layout("Owner").tree, keys: [key]) }
        try expectEqual(tried.value("Owner", "name", batch, 0), .string("Bea"))
        try expectEqual(tried.value("Owner", "age", batch, 0), .integer(30))
        expectEqual(batch.integer(TreeLayout.versionColumn, 0), 2)
        changes.updates = [try tried.change("Owner", key, version: RowOperation.anyVersion, ["age": .null])]
        try tried.apply(changes)
        let after = try tried.reading { try $0.rows(tree: try tried.layout("Owner").tree, keys: [key]) }
        try expectEqual(tried.value("Owner", "age", after, 0), .null)
        expectEqual(after.integer(TreeLayout.versionColumn, 0), 3)
    }

    @Test(arguments: EngineKind.allCases)
    func aRowOfAnotherVersionIsAConflictAndStays(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let keys = try tried.insert("Owner", [["name": .string("a")], ["name": .string("b")], ["name": .string("c")]])
        let gone = keys[2] + 100
        let session = try tried.engine.beginSave(SaveOrigin())
        var changes = StoreChanges()
        changes.updates = [
            try tried.change("Owner", keys[0], version: 7, ["name": .string("x")]),
            try tried.change("Owner", gone, version: 1, ["name": .string("x")]),
        ]
        changes.deletes = [try tried.change("Owner", keys[1], version: 2, [:])]
        changes.checks = [
            try tried.change("Owner", keys[2], version: 1, [:]), try tried.change("Owner", keys[2], version: 4, [:]),
        ]
        let outcome = try session.write(changes)
        expectEqual(Set(outcome.conflicts.map(\.primaryKey)), [keys[0], gone, keys[1], keys[2]])
        expectEqual(outcome.conflicts.count, 4)
        // The transaction reads the current rows.
        try expectEqual(session.count(try tried.fetch("Owner")), 3)
        session.rollback()
        let batch = try tried.reading { try $0.rows(tree: try tried.layout("Owner").tree, keys: [keys[0]]) }
        try expectEqual(tried.value("Owner", "name", batch, 0), .string("a"))
    }

    @Test(arguments: EngineKind.allCases)
    func aValueThatMustBeUniqueIsThrown(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        // A missing value equals no other.
        let keys = try tried.insert("Badge", [["code": .string("a")], ["code": .string("b")], [:], [:]])
        for code in ["a", "b"] {
            let error = #expect(throws: EngineError.self) { try tried.insert("Badge", [["code": .string(code)]]) }
            expectEqual(error?.kind, .uniqueValue)
        }
        let error = #expect(throws: EngineError.self) {
            var changes = StoreChanges()
            changes.updates = [try tried.change("Badge", keys[2], version: 1, ["code": .string("a")])]
            try tried.apply(changes)
        }
        expectEqual(error?.kind, .uniqueValue)
        // Two rows may swap their values in one save.
        var changes = StoreChanges()
        changes.freesUniqueValues = true
        changes.updates = [
            try tried.change("Badge", keys[0], version: 1, ["code": .string("b")]),
            try tried.change("Badge", keys[1], version: 1, ["code": .string("a")]),
        ]
        try tried.apply(changes)
        let batch = try tried.reading { try $0.rows(tree: try tried.layout("Badge").tree, keys: [keys[0]]) }
        try expectEqual(tried.value("Badge", "code", batch, 0), .string("b"))
        expectEqual(batch.integer(TreeLayout.versionColumn, 0), 2)
        try expectEqual(tried.reading { try $0.count(try tried.fetch("Badge")) }, 4)
    }

    @Test(arguments: EngineKind.allCases)
    func aDeletedRowIsLeftOut(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let keys = try tried.insert("Owner", [[:], [:], [:]])
        var changes = StoreChanges()
        changes.deletes = [try tried.change("Owner", keys[1], version: 1, [:])]
        try tried.apply(changes)
        let batch = try tried.reading { try $0.rows(tree: try tried.layout("Owner").tree, keys: keys) }
        expectEqual(Set(TriedEngine.keys(batch)), [keys[0], keys[2]])
    }

    @Test(arguments: EngineKind.allCases)
    func aRolledBackTransactionLeavesNothing(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let owner = try tried.insert("Owner", [["name": .string("kept")]])[0]
        let tag = try tried.insert("Tag", [[:]])[0]
        let session = try tried.engine.beginSave(SaveOrigin())
        _ = try tried.insert("Owner", [["name": .string("lost")]], in: session)
        var changes = StoreChanges()
        changes.updates = [try tried.change("Owner", owner, version: 1, ["name": .string("lost")])]
        changes.joins = [
            JoinOperation(
                layout: try tried.layout("Owner"),
                slot: try tried.slot("Owner", "tags"),
                source: owner,
                destination: tag,
                isInsert: true
            )
        ]
        _ = try session.write(changes)
        try expectEqual(session.count(try tried.fetch("Owner")), 2)
        session.rollback()
        try expectEqual(tried.reading { try $0.count(try tried.fetch("Owner")) }, 1)
        let batch = try tried.reading { try $0.rows(try tried.fetch("Owner")) }
        try expectEqual(tried.value("Owner", "name", batch, 0), .string("kept"))
        expectEqual(batch.integer(TreeLayout.versionColumn, 0), 1)
        #expect(try tried.members("Owner", "tags", of: owner).isEmpty)
        // The next transaction can begin.
        try tried.insert("Owner", [[:]])
    }

    @Test(arguments: EngineKind.allCases)
    func aClosedEngineSaysSo(_ kind: EngineKind) throws {
        let tried = try TriedEngine(kind)
        let session = try tried.engine.lease(holdsSnapshot: true)
        tried.engine.close()
        let tree = try tried.layout("Owner").tree
        for call in [
            { _ = try tried.engine.lease(holdsSnapshot: false) }, { _ = try tried.engine.beginSave(SaveOrigin()) },
            { _ = try session.rows(tree: tree, keys: [1]) },
        ] {
            let error = #expect(throws: EngineError.self) { try call() }
            expectEqual(error?.kind, .closed)
        }
    }
}
