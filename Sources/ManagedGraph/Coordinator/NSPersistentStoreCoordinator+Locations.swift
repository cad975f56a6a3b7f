// Finds the class that opens stores of a type, and checks that a store of it can be at a location. Called before a
// store is made, and by operations on stores that are not open.
import Foundation

extension NSPersistentStoreCoordinator {
    /// The class that opens stores of a type, if stores of that class can be at these locations.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - urls: Locations.
    /// - Returns: The class.
    /// - Throws: 134000 for an unknown type; 134080 if stores of the type are files and a location is none.
    static func storeClass(_ type: String, at urls: URL...) throws -> NSPersistentStore.Type {
        let storeClass = try storeClass(type)
        for url in urls { try requireFile(url, type, storeClass) }
        return storeClass
    }

    /// Throws for a location that is not a file URL, if stores of the class are files.
    static func requireFile(_ url: URL, _ type: String, _ storeClass: NSPersistentStore.Type) throws {
        guard type != NSInMemoryStoreType, let place = storeClass.place else { return }
        if url.isDevNull, url.isFileURL || url.scheme == nil {
            guard place == .file else { return }
            throw CoreDataError.cannotOpen(
                url,
                reason: "a store of the type \(type) is a file, which cannot be stored in /dev/null",
                remedy: "Give the URL of a file, or use the type \(NSInMemoryStoreType)."
            )
        }
        guard !url.isFileURL else { return }
        throw CoreDataError.cannotOpen(
            url,
            reason: "\(url.absoluteString) is not a file URL, and a store of the type \(type) is a file",
            remedy: "Make the URL of a path with URL(filePath:)."
        )
    }
}
