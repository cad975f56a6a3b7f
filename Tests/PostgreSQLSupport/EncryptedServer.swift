// A server that demands encryption at its ports, with certificates that openssl makes. Listens at ::1 too, if the machine has
// that address.
import Foundation
import Synchronization

/// A server that refuses connections without encryption, except at its socket.
package final class EncryptedServer: Sendable {
    package let server: PostgreSQLServer
    /// The server's certificate for `host`; it is its own authority.
    package let certificate: URL
    /// A certificate for the same name by another authority.
    package let otherCertificate: URL
    /// The only host name of the certificates.
    package static let host = "localhost"
    private static let sharedServer = Mutex<EncryptedServer?>(nil)

    /// Whether such a server can be started on this machine.
    package static var isInstalled: Bool {
        PostgreSQLServer.isInstalled
            && ["/usr/bin/openssl", "/usr/local/bin/openssl"].contains {
                FileManager.default.isExecutableFile(atPath: $0)
            }
    }

    /// The server that the tests of this process share, started by the first one.
    package static func shared() throws -> EncryptedServer {
        try sharedServer.withLock { shared in
            if let shared { return shared }
            let server = try EncryptedServer()
            shared = server
            return server
        }
    }

    private init() throws {
        let server = try PostgreSQLServer(settings: ["listen_addresses": "127.0.0.1, ::1"])
        // The names that the server looks for.
        certificate = try Self.makeCertificate(named: "server", in: server.folder)
        otherCertificate = try Self.makeCertificate(named: "other", in: server.folder)
        self.server = server
        let access = """
            local all all trust
            hostssl all all 127.0.0.1/32 trust
            hostssl all all ::1/128 trust

            """
        let file = server.folder.appending(path: "pg_hba.conf")
        try access.write(to: file, atomically: false, encoding: .utf8)
        try server.execute("ALTER SYSTEM SET ssl = on")
        try server.execute("SELECT pg_reload_conf()")
        // The server reads its files a moment later, all before the next connection that shows the setting.
        for _ in 0..<1_000 {
            if try server.execute("SHOW ssl") == [["on"]] { return }
            usleep(5_000)
        }
        throw PostgreSQLServerError("the server did not switch encryption on: \(server.log.suffix(2_000))")
    }

    /// Makes a key, and a certificate that is signed with it.
    private static func makeCertificate(named name: String, in folder: URL) throws -> URL {
        let certificate = folder.appending(path: "\(name).crt")
        try PostgreSQLPrograms.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)", "-keyout",
            folder.appending(path: "\(name).key").path, "-out", certificate.path,
        ])
        return certificate
    }

    /// An address with the schema of a store.
    ///
    /// - Parameters:
    ///   - host: A host name, an IP address (in brackets if it has colons), or the percent-encoded folder of the socket.
    ///   - schema: The schema, which is also the name of the program in the server's list of connections.
    ///   - parameters: Parameters such as `sslmode=require`.
    /// - Returns: A URI.
    package func address(host: String, schema: String, _ parameters: String...) -> String {
        let query = ["schema=\(schema)", "application_name=\(schema)"] + parameters
        return "postgresql://\(PostgreSQLServer.user)@\(host):\(server.port)/postgres?\(query.joined(separator: "&"))"
    }

    /// The connections of a store's program: the client's IP address, nil at the socket, and `t` for encrypted ones.
    package func connections(schema: String) throws -> [[String?]] {
        try server.execute(
            "SELECT DISTINCT host(client_addr), ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) "
                + "WHERE application_name = '\(schema)'"
        )
    }
}
