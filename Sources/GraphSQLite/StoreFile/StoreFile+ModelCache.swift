// The model stored in Z_MODELCACHE, as bytes. Called by stores, migrations and code that opens a store without a model;
// GraphModelFiles decodes the bytes.
import Foundation
import GraphSQL

extension StoreFile {
    /// The encoded model stored in the file.
    ///
    /// - Parameter connection: A connection to the store.
    /// - Returns: The bytes; nil if the store has none, like those of very old frameworks.
    /// - Throws: `SQLiteError`.
    package static func readModelCache(_ connection: Connection) throws -> Data? {
        guard try !connection.columnNames(of: "Z_MODELCACHE").isEmpty else { return nil }
        guard case .blob(let data)? = try connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1").first?.first,
            !data.isEmpty
        else { return nil }
        return data
    }

    /// Replaces the stored model, in the caller's transaction.
    ///
    /// - Parameters:
    ///   - data: The bytes; nil for none.
    ///   - connection: A writable connection.
    /// - Throws: `SQLiteError`.
    package static func writeModelCache(_ data: Data?, _ connection: Connection) throws {
        // Very old stores have no such table.
        let isThere = try !connection.columnNames(of: "Z_MODELCACHE").isEmpty
        try connection.execute(isThere ? "DELETE FROM Z_MODELCACHE" : StoreSchema.modelCacheStatement)
        guard let data else { return }
        try connection.run("INSERT INTO Z_MODELCACHE(Z_CONTENT) VALUES(?)", [.blob(data)])
    }
}
