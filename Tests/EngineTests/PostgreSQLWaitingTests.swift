// Tasks that wait for a connection of an exhausted pool leave the threads of the cooperative pool to others.
import ExpectationSupport
import Foundation
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: waiting", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLWaitingTests {
    @Test("Tasks that wait for the only connection do not block those that need none")
    func exhaustedPool() async throws {
        let server = try PostgreSQLServer.shared()
        let address = server.address("postgres", "schema=\(try server.makeSchema())", "pool=1", "timeout=60")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        try coordinator.addPersistentStore(type: .postgreSQL, at: try #require(URL(string: address)))
        defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
        let holder = coordinator.makeContext()
        let release = DispatchSemaphore(value: 0)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                holder.performAndWait {
                    // The snapshot of the block keeps the connection.
                    _ = try? holder.count(for: NSFetchRequest<NSManagedObject>(entityName: "Owner"))
                    continuation.resume()
                    release.wait()
                }
            }
        }
        let began = ContinuousClock.now
        let waiting = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
            let context = coordinator.makeContext()
            return Task {
                try await context.perform {
                    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Owner"))
                }
            }
        }
        try await Task.sleep(for: .milliseconds(300))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await Task.yield() } }
        }
        #expect(ContinuousClock.now - began < .seconds(20))
        release.signal()
        for task in waiting {
            let count = try await task.value
            expectEqual(count, 0)
        }
    }
}
