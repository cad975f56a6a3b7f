// The round trips of objects that are read one by one, together, and in advance.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

@Suite("PostgreSQL: faults", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLFaultingTests {
    /// The round trips of a fetch of 1,000 animals that then reads the owner of each.
    private func roundTrips(
        _ stack: EngineStack,
        _ policy: NSManagedObjectContext.FaultingPolicy,
        prefetching keyPaths: [String]? = nil
    ) throws -> Int {
        let store = try #require(stack.coordinator.persistentStores.first as? any EngineStore)
        let engine = try #require(store.engine as? PostgreSQLEngine)
        return try stack.elsewhere { (context) throws -> Int in
            context.faultingPolicy = policy
            let before = engine.roundTrips
            let request = context.request("Animal")
            request.relationshipKeyPathsForPrefetching = keyPaths
            for animal in try context.fetch(request) {
                let owner = animal.value(forKey: "owner") as? NSManagedObject
                expectEqual(owner?.name, animal.name.replacing("a", with: "o"))
            }
            return engine.roundTrips - before
        }
    }

    @Test("The owners of 1,000 objects take fewer than 10 round trips with `automatic`, and 2 with prefetching")
    func ownersOfManyObjects() throws {
        let stack = try EngineStack(.postgreSQL)
        try stack.run { (context) throws in
            for number in 0..<1_000 {
                let owner = context.make("Owner", ["name": "o\(number)"])
                context.make("Animal", ["name": "a\(number)", "owner": owner])
            }
            try context.save()
        }
        #expect(try roundTrips(stack, .allow) > 1_000)
        #expect(try roundTrips(stack, .automatic) < 10)
        try expectEqual(roundTrips(stack, .allow, prefetching: ["owner"]), 2)
    }
}
