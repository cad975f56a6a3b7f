// Tests the check of whole stores, for the store types that are files.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphTools
import Testing

struct CheckTests {
    private static let kinds = StoreKind.allCases.filter { $0.isFile && $0 != .json }

    @Test(arguments: kinds) func aSoundStoreOfAnyKindIsReadWholeAndLeftAsItIs(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        do {
            let stack = try world.open()
            try stack.fill()
            try stack.run { (context) throws in
                let item = context.make("Item", ["name": "large", "large": Data(repeating: 7, count: 200_000)])
                item.setValue(["a", "b"], forKey: "list")
                try context.save()
            }
            try stack.coordinator.remove(stack.store)
        }
        let before = try Data(contentsOf: world.url)
        let report = StoreChecker().check(world.url, with: world.model)
        #expect(report.problems.isEmpty)
        #expect(report.notes.isEmpty)
        let rows = Dictionary(uniqueKeysWithValues: report.entities.map { ($0.name, $0.rows) })
        #expect(rows["Team"] == 2 && rows["Item"] == 1 && (rows["Person"] ?? 0) + (rows["Worker"] ?? 0) == 10)
        #expect(report.relationships >= 20)
        expectEqual(report.external, (kind.isSQLite ? 1 : 0))
        try expectEqual(Data(contentsOf: world.url), before)
        try #expect(
            FileManager.default.contentsOfDirectory(atPath: world.folder.path).allSatisfy { !$0.hasSuffix("-shm") }
        )
    }

    @Test(arguments: [StoreKind.xml, .binary]) func aStoreWithoutAModelAsksForOne(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        let stack = try world.open()
        try stack.fill()
        let problems = StoreChecker().check(world.url).problems
        #expect(problems.count == 1 && problems[0].contains("--model"), "\(problems)")
    }

    @Test(arguments: [StoreKind.xml, .binary]) func aDamagedStoreIsNamed(kind: StoreKind) throws {
        let world = try StoreWorld(kind)
        do {
            let stack = try world.open()
            try stack.fill()
            try stack.coordinator.remove(stack.store)
        }
        let whole = try Data(contentsOf: world.url)
        try whole.prefix(whole.count / 2).write(to: world.url)
        let report = StoreChecker().check(world.url, with: world.model)
        #expect(!report.isOK)
    }
}
