// A PostgreSQL store whose own tables and sequences another program has damaged: the process continues, and the error
// names the damaged part.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: damaged tables", .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct DamagedTablesTests {
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

    @Test("A sequence without room for keys is an error of the save", arguments: ["9223372036854775800", "1"])
    func sequence(next: String) throws {
        let stack = try EngineStack(.postgreSQL)
        let url = try #require(stack.coordinator.persistentStores.first?.url)
        let sequence = "\(try DatabaseAddress(url.absoluteString).schema).\"_keys_Owner\""
        let server = try PostgreSQLServer.shared()
        try server.execute("SELECT setval('\(sequence)', \(next), false)")
        try stack.elsewhere { (context) throws in
            context.make("Owner", ["name": "a"])
            if next == "1" {
                try context.save()
            } else {
                let error = #expect(throws: NSError.self) { try context.save() }
                let remedy = error?.localizedRecoverySuggestion
                expectEqual(remedy?.contains("setval"), true, "\(String(describing: error))")
            }
        }
    }
}
