// Connection options that addresses pass on to libpq: encryption with and without a check of the certificate, the folder
// of a socket, and version 6 of the Internet protocol. PostgreSQLCommandTests tests service files, which the environment
// names.
import ExpectationSupport
import Foundation
import GraphPostgreSQL
import GraphSupport
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

@Suite("PostgreSQL: addresses", .enabled(if: EncryptedServer.isInstalled, "PostgreSQL or openssl is not installed"))
struct PostgreSQLAddressTests {
    private let encrypted: EncryptedServer
    private let schema: String

    init() throws {
        encrypted = try EncryptedServer.shared()
        schema = try encrypted.server.makeSchema()
    }

    /// Saves an object in the store at an address; returns the connections that the server reports.
    private func saved(at address: String) throws -> [[String?]] {
        let url = try #require(URL(string: address))
        return try EngineModel.make().withStore(at: url, type: .postgreSQL) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            let before = try context.count(for: request)
            context.make("Tag", ["name": "a"])
            try context.save()
            try expectEqual(context.count(for: request), before + 1)
            return try encrypted.connections(schema: schema)
        }
    }

    /// Expects opening the store at an address to fail with the code of all failed connections, a cause and a remedy.
    private func refuses(
        _ address: String,
        _ cause: String,
        _ remedy: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let url = try #require(URL(string: address), sourceLocation: sourceLocation)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EngineModel.make())
        let error = #expect(throws: NSError.self, sourceLocation: sourceLocation) {
            try coordinator.addPersistentStore(type: .postgreSQL, at: url)
        }
        expectEqual(error?.domain, NSCocoaErrorDomain, sourceLocation: sourceLocation)
        expectEqual(error?.code, NSPersistentStoreOpenError, sourceLocation: sourceLocation)
        let message = error?.localizedDescription ?? ""
        #expect(message.contains(cause), "\(message)", sourceLocation: sourceLocation)
        let advice = error?.localizedRecoverySuggestion ?? ""
        #expect(advice.contains(remedy), "\(advice)", sourceLocation: sourceLocation)
    }

    /// An address with the host name of the certificates; it leads to this machine regardless of the name's resolution.
    private func named(_ parameters: String) -> String {
        encrypted.address(host: EncryptedServer.host, schema: schema, "hostaddr=127.0.0.1", parameters)
    }

    @Test("A store is read and written over TLS, also if the address demands it or the certificate is checked")
    func encryption() throws {
        for parameters in [
            "sslmode=prefer", "sslmode=require", "sslmode=verify-ca&sslrootcert=\(encrypted.certificate.path)",
            "sslmode=verify-full&sslrootcert=\(encrypted.certificate.path)",
        ] {
            try expectEqual(saved(at: named(parameters)), [["127.0.0.1", "t"]], "\(parameters)")
        }
    }

    @Test("A certificate of another authority or for another name is refused with its cause and the remedy")
    func wrongCertificate() throws {
        try refuses(
            named("sslmode=verify-full&sslrootcert=\(encrypted.otherCertificate.path)"),
            "certificate verify failed",
            "sslrootcert="
        )
        try refuses(
            named("sslmode=verify-full&sslrootcert=/nowhere/root.crt"),
            "root certificate file \"/nowhere/root.crt\" does not exist",
            "sslrootcert="
        )
        let certificate = "sslrootcert=\(encrypted.certificate.path)"
        try refuses(
            encrypted.address(host: "127.0.0.1", schema: schema, "sslmode=verify-full", certificate),
            "does not match host name \"127.0.0.1\"",
            "host name of the server's certificate"
        )
        // Only verify-full compares the names.
        let unnamed = encrypted.address(host: "127.0.0.1", schema: schema, "sslmode=verify-ca", certificate)
        try expectEqual(saved(at: unnamed), [["127.0.0.1", "t"]])
    }

    @Test("A server that demands encryption refuses an address that excludes it")
    func noEncryption() throws {
        try refuses(named("sslmode=disable"), "no pg_hba.conf entry", "sslmode=require")
    }

    @Test("A statement on an encrypted connection is cancelled")
    func cancelling() throws {
        let connection = try PostgreSQLConnection(DatabaseAddress(named("sslmode=require")))
        connection.isWanted = { false }
        let error = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT pg_sleep(60)") }
        expectEqual(error?.kind, .cancelled)
    }

    @Test("A server is reached at the folder of its socket, as a host or as a parameter")
    func socket() throws {
        let folder = encrypted.server.socketFolder.path
        let host = try #require(folder.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        for address in [
            encrypted.address(host: host, schema: schema),
            "postgresql:///postgres?host=\(folder)&port=\(encrypted.server.port)&user=\(PostgreSQLServer.user)"
                + "&schema=\(schema)&application_name=\(schema)",
        ] {
            try expectEqual(saved(at: address), [[nil, "f"]], "\(address)")
        }
        try refuses(
            encrypted.address(host: "%2Fnowhere", schema: schema),
            "%2Fnowhere:\(encrypted.server.port)/postgres",
            "that the server runs"
        )
    }

    @Test(
        "A server is reached at an address of version 6 of the Internet protocol",
        .enabled(if: PostgreSQLPrograms.hasIPv6Loopback, "this machine does not have the address ::1")
    )
    func longAddress() throws {
        try expectEqual(saved(at: encrypted.address(host: "[::1]", schema: schema)), [["::1", "t"]])
    }
}
