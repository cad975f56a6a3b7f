// Places of stores as users name them. Called by the studio; the tools of the command do the work.
import Foundation
import ManagedGraph
import ManagedGraphTools

/// Reads and shows the places of stores: paths, and addresses of databases.
public enum StoreAddress {
    /// Whether a text is the address of a database.
    ///
    /// - Parameter text: A text that a user entered.
    /// - Returns: Whether it begins with `postgresql://` or `postgres://`.
    public static func isDatabase(_ text: String) -> Bool { StoreLocation.isDatabase(text) }

    /// The URL of a place.
    ///
    /// - Parameter text: A path, or the address of a database.
    /// - Returns: The URL.
    /// - Throws: 134080 for an address that is not a URL, 134000 if the program is built without databases.
    public static func url(_ text: String) throws -> URL {
        let url = try StoreLocation.url(text)
        _ = try StoreLocation.databaseType(of: url)
        return url
    }

    /// Requires that a place has a file, or a database with a store that can be read.
    ///
    /// Waits for the database; a file is not read.
    ///
    /// - Parameter url: The place.
    /// - Throws: 134080 with the reason and the remedy, such as a missing file, a wrong password or a wrong schema.
    public static func requireStore(at url: URL) throws { try StoreLocation.requireStore(at: url) }

    /// The text to show for a place: a path, or an address without passwords.
    ///
    /// - Parameter url: The place.
    /// - Returns: The text.
    public static func shown(_ url: URL) -> String { StoreLocation.shown(url) }

    /// A short name: a file's name, or database and schema.
    ///
    /// - Parameter url: The place.
    /// - Returns: The name.
    public static func name(_ url: URL) -> String { StoreLocation.name(url) }
}
