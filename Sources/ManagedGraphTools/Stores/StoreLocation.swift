// The place of a store as a user names it: a path, or the address of a database. Called by commands and the studio, which
// show places without passwords.
import Foundation
import ManagedGraph

/// Places of stores.
package enum StoreLocation {
    private static let schemes = ["postgresql://", "postgres://"]

    /// Whether a text is the address of a database.
    package static func isDatabase(_ location: String) -> Bool {
        let location = location.lowercased()
        return schemes.contains { location.hasPrefix($0) }
    }

    /// The URL of a store.
    ///
    /// - Parameter location: A path, or the address of a database, which may name several servers as libpq takes them.
    /// - Returns: The URL. It has the servers as parameters if there are several.
    /// - Throws: 134080 for an address that is not a URL.
    package static func url(_ location: String) throws -> URL {
        guard isDatabase(location) else { return URL(fileURLWithPath: location) }
        guard let url = URL(string: withServersAsParameters(location)) else {
            throw CoreDataError.make(
                134080,
                "The address cannot be read.",
                remedy:
                    "Write postgresql://user@host:port/database?schema=public, with special characters as %40 for @."
            )
        }
        return url
    }

    /// The address with its servers and its user as parameters if it names several servers: a URL has only one.
    private static func withServersAsParameters(_ location: String) -> String {
        guard let scheme = schemes.first(where: { location.lowercased().hasPrefix($0) }) else { return location }
        let parts = location.dropFirst(scheme.count).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let (authority, database) = (place[0], place.count > 1 ? String(place[1]) : "")
        let end = authority.lastIndex(of: "@")
        let servers = authority[(end.map { authority.index(after: $0) } ?? authority.startIndex)...]
            .split(separator: ",", omittingEmptySubsequences: false)
        // An @ behind the slash belongs to a password whose marks are not encoded: nothing of it may become a server.
        guard servers.count > 1, !database.contains("@") else { return location }
        var (hosts, ports): ([String], [String]) = ([], [])
        for server in servers {
            let colon = server.last == "]" ? nil : server.lastIndex(of: ":")
            let port = colon.map { String(server[server.index(after: $0)...]) } ?? ""
            guard port.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                return location
            }
            hosts.append(server[..<(colon ?? server.endIndex)].filter { !"[]".contains($0) })
            ports.append(port)
        }
        var parameters = ["host=\(hosts.joined(separator: ","))"]
        if ports.contains(where: { !$0.isEmpty }) { parameters.append("port=\(ports.joined(separator: ","))") }
        let login = end.map { authority[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) }
        for (name, value) in zip(["user", "password"], login ?? []) where !value.isEmpty {
            // These marks separate parameters.
            let encoded = String(value).replacing("&", with: "%26").replacing("=", with: "%3D")
            parameters.append("\(name)=\(encoded)")
        }
        if parts.count > 1, !parts[1].isEmpty { parameters.append(String(parts[1])) }
        return "\(scheme)/\(database)?\(parameters.joined(separator: "&"))"
    }

    /// The text to show for a place: a path as it is, an address without passwords.
    package static func shown(_ location: String) -> String {
        guard let scheme = schemes.first(where: { location.lowercased().hasPrefix($0) }) else { return location }
        let parts = location.dropFirst(scheme.count).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        var place = String(parts[0])
        // A password may contain marks that should have been encoded, so it ends at the last @.
        if let end = place.lastIndex(of: "@"), let start = place[..<end].firstIndex(of: ":") {
            place.removeSubrange(start..<end)
        }
        let parameters = (parts.count > 1 ? parts[1] : "").split(separator: "&")
            .filter { !$0.lowercased().hasPrefix("password=") && !$0.lowercased().hasPrefix("sslpassword=") }
        return location.prefix(scheme.count) + place
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    /// The text to show for a store.
    package static func shown(_ url: URL) -> String { url.isFileURL ? url.path : shown(url.absoluteString) }

    /// A short name of a store: its file's, or the database and schema of an address; the service if it names no database.
    package static func name(_ url: URL) -> String {
        guard !url.isFileURL else { return url.lastPathComponent }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        let database = ["", "/"].contains(url.lastPathComponent) ? value("service") : url.lastPathComponent
        return [database, value("schema")].compactMap(\.self).joined(separator: ".")
    }

    /// The type of a store in a database; nil for files.
    ///
    /// - Parameter url: The place.
    /// - Returns: The type.
    /// - Throws: 134000 if the program is built without it.
    package static func databaseType(of url: URL) throws -> String? {
        guard let type = NSPersistentStoreCoordinator.databaseType(of: url) else { return nil }
        guard NSPersistentStoreCoordinator.registeredStoreTypes[type] != nil else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError,
                "This program is built without stores of the type \(type).",
                remedy: "Install libpq-dev, and build it without MANAGEDGRAPH_WITHOUT_POSTGRESQL in the environment."
            )
        }
        return type
    }

    /// Migrates the store at an address; nil for files.
    ///
    /// - Parameter url: The place.
    /// - Returns: The migrator.
    /// - Throws: 134000 if the program is built without stores of the type.
    static func migrator(of url: URL) throws -> (any DatabaseMigrator)? {
        guard let type = try databaseType(of: url) else { return nil }
        return (NSPersistentStoreCoordinator.registeredStoreTypes[type] as? any MigratableDatabaseStore.Type)?.migrator
    }

    /// Throws unless there is a file at a path, or a store at an address.
    ///
    /// - Parameter url: The place.
    /// - Throws: 134080 and others, with the reason.
    package static func requireStore(at url: URL) throws {
        if let type = try databaseType(of: url) {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        } else if try !url.fileIsThere() {
            throw CoreDataError.noFile(url)
        }
    }

    /// Throws for an address if only a file can be used.
    ///
    /// - Parameters:
    ///   - url: The place.
    ///   - reason: Why only a file can be used.
    ///   - remedy: A way to do the same with a database.
    /// - Throws: 134080.
    package static func requireFile(_ url: URL, reason: String, remedy: String) throws {
        guard NSPersistentStoreCoordinator.databaseType(of: url) != nil else { return }
        throw CoreDataError.cannotOpen(url, reason: reason, remedy: remedy)
    }
}
