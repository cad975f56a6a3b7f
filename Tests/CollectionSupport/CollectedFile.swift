// A file of a collection.
import Foundation

package struct CollectedFile: Sendable, Hashable, CustomStringConvertible {
    package let collection: FileCollection
    /// The path below the collection's folder.
    package let path: String

    package var url: URL { collection.folder.appendingPathComponent(path) }
    package var name: String { url.lastPathComponent }
    package var description: String { "\(collection.name)/\(path)" }

    package func data() throws -> Data { try Data(contentsOf: url) }

    /// The repository that the file was published in; nil for a fixture.
    var repository: String? {
        let parts = path.split(separator: "/")
        return collection.isFixtures || parts.count < 3 ? nil : String(parts[1])
    }

    /// Files of a kind that belong to this one: of the same repository, or all fixtures.
    package func neighbours(_ kind: FileKind) -> [CollectedFile] {
        collection.files(kind).filter { $0.repository == repository }
    }

    /// Copies a store to a new temporary folder, with its log and external values, but without the log's index.
    ///
    /// - Returns: The copy, which has the store's name. The caller removes its folder.
    package func copy() throws -> URL {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("collected-\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appendingPathComponent(name)
        for suffix in ["", "-wal"] where manager.fileExists(atPath: url.path + suffix) {
            let data = try Data(contentsOf: URL(fileURLWithPath: url.path + suffix))
            try data.write(to: URL(fileURLWithPath: copy.path + suffix))
        }
        let support = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
        let values = url.deletingLastPathComponent().appendingPathComponent(support)
        if manager.fileExists(atPath: values.path) {
            try manager.copyItem(at: values, to: folder.appendingPathComponent(support))
        }
        return copy
    }

    /// Runs `body` with a copy in a temporary folder, and removes the folder.
    package func withCopy<R>(_ body: (URL) throws -> R) throws -> R {
        let copy = try copy()
        defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
        return try body(copy)
    }
}
