// The place of the applications' stores: a folder of files, or a database with a schema for each application. Named by the
// program, used by ScreenServer.
import CoreData
import Foundation
import GraphUpkeep

/// A place of stores.
public enum StorePlace: Sendable {
    /// A folder with a subfolder for each application.
    case folder(URL)
    /// A PostgreSQL database; each application has a schema with its name in lower case.
    case database(URL)

    /// The database that an address names.
    ///
    /// - Parameter address: `postgresql://user@host:port/database`, also with several servers: `host:port,host:port`; nil
    ///   is returned for texts that do not begin as addresses do.
    /// - Throws: 134080 for an address that is not a URL, 134000 if the program is built without databases.
    public init?(address: String) throws {
        guard StoreAddress.isDatabase(address) else { return nil }
        self = .database(try StoreAddress.url(address))
    }

    /// Describes the store of an application, and creates its folder.
    func description(of application: TableApplication) throws -> NSPersistentStoreDescription {
        switch self {
        case .folder(let folder):
            let home = folder.appendingPathComponent(application.name)
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            return NSPersistentStoreDescription(url: home.appendingPathComponent("\(application.modelName).sqlite"))
        case .database(let address):
            let description = NSPersistentStoreDescription(url: Self.address(address, application.name.lowercased()))
            // Other processes may have the same store open.
            description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
            return description
        }
    }

    /// Whether there is no store yet.
    func isVacant(_ description: NSPersistentStoreDescription) -> Bool {
        guard let url = description.url else { return true }
        switch self {
        case .folder: return !FileManager.default.fileExists(atPath: url.path)
        case .database:
            let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: description.type,
                at: url
            )
            return metadata == nil
        }
    }

    /// The place of an application's store, for readers; without passwords.
    func text(for application: TableApplication) -> String {
        switch self {
        case .folder(let folder): folder.appendingPathComponent(application.name).path
        case .database(let address): "the schema \(application.name.lowercased()) of \(StoreAddress.shown(address))"
        }
    }

    /// The address with another schema.
    private static func address(_ url: URL, _ schema: String) -> URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let queryItems = (parts?.queryItems ?? []).filter { $0.name != "schema" }
        parts?.queryItems = queryItems + [URLQueryItem(name: "schema", value: schema)]
        return parts?.url ?? url
    }
}
