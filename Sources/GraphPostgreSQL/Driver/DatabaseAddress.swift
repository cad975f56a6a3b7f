// The address of a database as a program gives it: `postgresql://user@host:port/database?schema=…&pool=…`. Separates
// the parameters of this driver from libpq's, which has its environment variables, service files and TLS modes.
import CPostgreSQL
import Foundation

/// The address of a database.
///
/// It prints itself without passwords.
package struct DatabaseAddress: Hashable, Sendable {
    /// The PostgreSQL schema of the store's tables.
    package private(set) var schema: String
    /// The greatest number of connections of a pool.
    package let poolSize: Int
    /// The time for which a caller waits for a connection.
    package let timeout: Duration
    /// Whether the server notifies the store's users of saves.
    package let notifies: Bool
    /// The schema of tables of other programs that a new store is to use; nil for tables of its own.
    package var tables: String? { parameters["tables"] }
    /// The profile that the store must have; nil for that of the store itself, and for the standard one of a new store.
    package private(set) var profile: StoreProfile?
    /// The parameters of this driver, by their names.
    package let parameters: [String: String]
    /// The rest of the address, which libpq reads; it may contain a password.
    let location: String
    /// Parameters that replace those of `location`.
    private(set) var overrides: [String: String] = [:]
    /// The time, in milliseconds, after which libpq gives up a connection if the server does not acknowledge data.
    private var unacknowledgedLimit = "30000"
    /// The parameters that the address itself contains, by libpq's names.
    private let settings: [String: String]

    /// The parameters of this driver.
    private static let ownNames = ["schema", "pool", "timeout", "readers", "notify", "versions", "tables", "profile"]

    /// Reads an address.
    ///
    /// - Parameter text: A URI with the scheme `postgresql` or `postgres`.
    /// - Throws: `PostgreSQLError` if the address cannot be read; the message contains no password.
    package init(_ text: String) throws {
        guard let scheme = ["postgresql://", "postgres://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw Self.error("it does not begin with postgresql://")
        }
        let parts = text.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var own: [String: String] = [:]
        var libpqParameters: [Substring] = []
        let names = Self.libpqNames
        for part in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair[0].removingPercentEncoding ?? String(pair[0])
            if Self.ownNames.contains(name) {
                guard pair.count > 1, let value = pair[1].removingPercentEncoding else {
                    throw Self.error("the parameter \(name) has no value")
                }
                own[name] = value
            } else if names.contains(name) || name == "ssl" {
                libpqParameters.append(part)
            } else {
                let ownNames = Self.ownNames.joined(separator: ", ")
                throw Self.error(
                    "there is no parameter \(name); there are \(ownNames), and libpq's \(names.sorted().joined(separator: ", "))"
                )
            }
        }
        location =
            "postgresql://\(parts[0])" + (libpqParameters.isEmpty ? "" : "?\(libpqParameters.joined(separator: "&"))")
        parameters = own
        schema = own["schema"] ?? "public"
        guard own["tables"] != schema else {
            throw Self.error("tables= and schema= are the same; the store needs a schema of its own")
        }
        guard !schema.isEmpty, schema.utf8.count <= 63, !schema.contains("\0") else {
            throw Self.error("schema= must have 1 to 63 bytes")
        }
        guard let pool = own["pool"].map({ Int($0) }) ?? 16, (1...1_000).contains(pool) else {
            throw Self.error("pool= must be a number from 1 to 1000")
        }
        poolSize = pool
        guard let seconds = own["timeout"].map({ Double($0) }) ?? 30, seconds >= 0, seconds <= 86_400 else {
            throw Self.error("timeout= must be a number of seconds from 0 to 86400")
        }
        timeout = .milliseconds(Int(seconds * 1_000))
        guard let notifies = own["notify"].map({ ["on": true, "off": false][$0] }) ?? false else {
            throw Self.error("notify= must be on or off")
        }
        self.notifies = notifies
        profile = try own["profile"].map { name in
            guard let profile = StoreProfile(rawValue: name) else {
                throw Self.error("profile= must be \(StoreProfile.allCases.map(\.rawValue).joined(separator: " or "))")
            }
            return profile
        }
        settings = try Self.settings(location)
    }

    /// The addresses of the servers that `readers` names: the same database and user at other hosts.
    package var readers: [DatabaseAddress] {
        (parameters["readers"] ?? "").split(separator: ",").map { reader in
            var address = self
            let colon = reader.last == "]" ? nil : reader.lastIndex(of: ":")
            let host = String(reader[..<(colon ?? reader.endIndex)].filter { !"[]".contains($0) })
            address.overrides["host"] = host
            address.overrides["port"] = colon.map { String(reader[reader.index(after: $0)...]) } ?? port(ofReader: host)
            address.overrides["target_session_attrs"] = "any"
            // Wait less for a standby: if it is lost, the primary answers instead.
            address.unacknowledgedLimit = "5000"
            return address
        }
    }

    /// The port of a standby that is named without one; nil if libpq takes the only port of the address or its default.
    private func port(ofReader host: String) -> String? {
        let defaults = Self.defaults
        guard let portList = settings["port"] ?? defaults["port"], portList.contains(",") else { return nil }
        // Each server of the address has a port. The same server has the same one.
        let ports = portList.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let hosts = (settings["host"] ?? defaults["host"] ?? "")
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let place = hosts.firstIndex(of: host) ?? 0
        let port = ports.indices.contains(place) ? ports[place] : ports[0]
        return port.isEmpty ? "5432" : port
    }

    /// The text of an address with another schema.
    package static func text(_ text: String, withSchema schema: String) -> String {
        let parts = text.split(separator: "?", maxSplits: 1)
        let parameters = parts.count > 1 ? parts[1].split(separator: "&").filter { !$0.hasPrefix("schema=") } : []
        let name = schema.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? schema
        return parts[0] + "?" + (parameters.map(String.init) + ["schema=\(name)"]).joined(separator: "&")
    }

    /// The same database, with another schema.
    func withSchema(_ name: String) -> DatabaseAddress {
        var address = self
        address.schema = name
        return address
    }

    /// The same store, which must have a profile.
    package func withProfile(_ profile: StoreProfile) -> DatabaseAddress {
        var address = self
        address.profile = profile
        return address
    }

    /// A parameter of the address that the distributed profile excludes; nil if there is none.
    var parameterBeyondDistributedProfile: String? {
        if notifies { return "notify=on" }
        return ["readers", "tables", "versions"].first { parameters[$0] != nil }.map { "\($0)=" }
    }

    /// The same server and user, with another database.
    package func withDatabase(_ name: String) -> DatabaseAddress {
        var address = self
        address.overrides["dbname"] = name
        return address
    }

    /// The keywords and values to connect with, in the order in which later ones replace earlier ones.
    var connectionParameters: [(name: String, value: String)] { connectionParameters(defaults: Self.defaults) }

    /// The keywords and values to connect with.
    ///
    /// - Parameter defaults: The values that libpq takes from its environment.
    /// - Returns: The parameters, in the order in which later ones replace earlier ones.
    package func connectionParameters(defaults: [String: String]) -> [(name: String, value: String)] {
        // A service file may contain any parameter, and is read only for parameters missing in the address.
        let usesService = settings["service"] != nil || defaults["service"] != nil
        func isMissing(_ name: String) -> Bool { (settings[name] ?? defaults[name] ?? "").isEmpty }
        var list = [("fallback_application_name", "ManagedGraph")]
        // Detect a lost server within two minutes instead of hours. While the system waits for data to be
        // acknowledged, it sends no keepalives, so that case has a timeout too.
        if !usesService {
            list += [("keepalives_idle", "60"), ("keepalives_interval", "15"), ("keepalives_count", "4")]
        }
        if !usesService, isMissing("tcp_user_timeout") { list.append(("tcp_user_timeout", unacknowledgedLimit)) }
        if !usesService, isMissing("connect_timeout") { list.append(("connect_timeout", "10")) }
        list.append(("dbname", location))
        // libpq takes only the first database name for a URI.
        list += overrides.sorted { $0.key < $1.key }
        if let host = overrides["host"], usesService || !isMissing("hostaddr") {
            // The IP address is the primary's. libpq ignores an empty value, and takes the host's name for each empty
            // item of a list.
            list += [("host", "\(host),\(host)"), ("hostaddr", ",")]
        }
        list.append(("client_encoding", "UTF8"))
        return list
    }

    /// The passwords in the address.
    var secrets: [String] { ["password", "sslpassword"].compactMap { settings[$0] } }

    /// A text without the passwords of this address.
    func redacted(_ text: String) -> String {
        secrets.filter { !$0.isEmpty }.reduce(text) { $0.replacingOccurrences(of: $1, with: "********") }
    }

    // MARK: libpq

    /// The names of libpq's parameters.
    private static let libpqNames = Set(options(PQconndefaults()).map(\.name))

    /// The values that libpq has from its environment and its defaults.
    private static var defaults: [String: String] {
        Dictionary(options(PQconndefaults()).compactMap { option in option.value.map { (option.name, $0) } }) { $1 }
    }

    private static func settings(_ location: String) throws -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(location, &message) else {
            defer { PQfreemem(message) }
            // The rest of the message quotes the address, with the password.
            let explanation = message.map { String(cString: $0) } ?? "out of memory"
            throw error(
                explanation.range(of: ": \"").map { String(explanation[..<$0.lowerBound]) } ?? "libpq rejects it"
            )
        }
        return Dictionary(Self.options(options).compactMap { option in option.value.map { (option.name, $0) } }) { $1 }
    }

    /// Reads and frees a list of libpq.
    private static func options(
        _ list: UnsafeMutablePointer<PQconninfoOption>?
    ) -> [(name: String, value: String?)] {
        defer { PQconninfoFree(list) }
        var options: [(String, String?)] = []
        var next = list
        while let option = next?.pointee, let keyword = option.keyword {
            options.append((String(cString: keyword), option.val.map { String(cString: $0) }))
            next = next?.advanced(by: 1)
        }
        return options
    }

    private static func error(_ reason: String) -> PostgreSQLError {
        PostgreSQLError(
            state: "08001",
            message: "the address of the database cannot be read: \(reason)",
            hint: "An address is postgresql://user@host:port/database?schema=public&pool=16."
        )
    }
}

extension DatabaseAddress: CustomStringConvertible {
    /// The address without passwords.
    package var description: String {
        let values = settings.merging(overrides) { $1 }
        let hosts = (values["host"] ?? values["hostaddr"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let ports = (values["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let places = hosts.enumerated().map { place, host in
            let port = ports.indices.contains(place) ? ports[place] : ports.count == 1 ? ports[0] : ""
            return Self.encoded(host) + (port.isEmpty ? "" : ":\(port)")
        }
        let user = values["user"].map { "\($0)@" } ?? ""
        var address = "postgresql://\(user)\(places.joined(separator: ","))/\(values["dbname"] ?? "")"
        var query: [String] = []
        if let service = values["service"] { query.append("service=\(service)") }
        if schema != "public" { query.append("schema=\(schema)") }
        if !query.isEmpty { address += "?\(query.joined(separator: "&"))" }
        return address
    }

    /// A host as an address contains it: an IP address with colons in brackets, the folder of a socket percent-encoded.
    private static func encoded(_ host: Substring) -> String {
        if host.hasPrefix("/") {
            return host.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? String(host)
        }
        return host.contains(":") ? "[\(host)]" : String(host)
    }
}

extension DatabaseAddress: CustomDebugStringConvertible, CustomReflectable {
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
