// The model that a store contains, for users.
import Foundation
import GraphModel

extension NSPersistentStoreCoordinator {
    /// The model that a store holds, with which it opens.
    ///
    /// SQLite stores that frameworks since 2014 have written hold it, and so do stores in databases. It has no custom Swift types and no scalar
    /// accessors: those are in the program that made the store. The file is left as it is. See
    /// [cachedModelForPersistentStore(at:options:)](https://developer.apple.com/documentation/coredata/nspersistentstorecoordinator).
    ///
    /// O(n) in the model.
    ///
    /// - Parameters:
    ///   - url: A SQLite store, or the address of a database.
    ///   - options: Options of the store, by Apple's keys.
    /// - Returns: The model, which has the version hashes of the store's metadata.
    /// - Throws: 134080 for a file that is not a SQLite store, holds no model or a damaged one; 260 if there is no file.
    public class func cachedModelForPersistentStore(
        at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        if databaseType(of: url) == nil { try requireFile(url, NSSQLiteStoreType, SQLiteStore.self) }
        let model = try StoreModelCache.model(at: url)
        do {
            return try NSManagedObjectModel(model)
        } catch {
            throw StoreModelCache.damaged(url, error)
        }
    }
}
