// The compiled models of the collections: files of the compiler, and models cached in stores.
import CollectionSupport
import Foundation
import GraphArchives
import GraphModel
import GraphSQLite

@testable import GraphModelFiles

struct CompiledArchive {
    let path: String
    /// A keyed archive.
    let data: Data
    let form: CompiledModelWriter.Form

    func model() throws -> Model { try ModelFile.readModel(compiled: data, file: path) }

    static func all() throws -> [CompiledArchive] {
        let files = Collections.files(.compiledModel)
        return try files.map { CompiledArchive(path: $0.path, data: try $0.data(), form: .file) } + caches()
    }

    /// The caches of published stores, which a collection has as files, and those inside of the fixtures' stores.
    static func caches() throws -> [CompiledArchive] {
        let files = Collections.files(.cachedModel)
        let stores = Collections.fixtures.files(.sqliteStore)
        return try files.map { CompiledArchive(path: $0.path, data: try $0.data(), form: .cache) }
            + stores.compactMap { store -> CompiledArchive? in
                let copy = try store.copy()
                defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
                let connection = try Connection(path: copy.path)
                defer { connection.close() }
                guard let cache = try StoreFile.readModelCache(connection) else { return nil }
                let data = try RawDeflate.inflate(cache, limit: 1 << 24)
                return CompiledArchive(path: store.path, data: data, form: .cache)
            }
    }
}
