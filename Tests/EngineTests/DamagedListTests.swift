// Property lists in a PostgreSQL store's own tables that another program has damaged: the process continues, and the
// error names the table.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: damaged lists", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct DamagedListTests {
    /// A binary property list of an array that contains itself: Foundation's reader would overflow the stack.
    private static let circle: [UInt8] =
        Array("bplist00".utf8) + [0xA1, 0x00, 0x08] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
        + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]

    @Test("Metadata that contain themselves are an error of opening the store")
    func metadata() throws {
        let stack = try EngineStack(.postgreSQL)
        let url = try #require(stack.coordinator.persistentStores.first?.url)
        let schema = try DatabaseAddress(url.absoluteString).schema
        let server = try PostgreSQLServer.shared()
        let hexadecimal = Self.circle.map { String(format: "%02x", $0) }.joined()
        try server.execute("UPDATE \(schema)._store SET metadata = '\\x\(hexadecimal)'")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        let error = #expect(throws: NSError.self) { try coordinator.addPersistentStore(type: .postgreSQL, at: url) }
        expectEqual(error?.code, NSPersistentStoreOpenError)
        expectEqual(error?.localizedRecoverySuggestion?.contains("_store"), true, "\(String(describing: error))")
    }
}
