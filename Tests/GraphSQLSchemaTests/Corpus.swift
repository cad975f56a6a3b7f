// The corpus of files that Apple's tools wrote, beside the repository. Tests that need it are skipped if it is absent.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQLite

enum Corpus {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
    private static let parts = ["corpus", "corpus-2"]

    static var isPresent: Bool { FileManager.default.fileExists(atPath: root.appendingPathComponent("corpus").path) }

    /// SQLite stores, by path below the corpora's folder.
    static func stores() -> [String] {
        files(in: "stores").filter { path in
            guard !path.hasSuffix("-wal"), !path.hasSuffix("-shm"),
                let handle = FileHandle(forReadingAtPath: root.appendingPathComponent(path).path)
            else { return false }
            defer { try? handle.close() }
            return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
        }
    }

    /// Models, by path below the corpora's folder.
    static func models() -> [String] {
        files(in: "models").filter { $0.hasSuffix(".xcdatamodel/contents") }
    }

    /// The model cached in a store; nil for stores of frameworks before 2014.
    static func carriedModel(_ connection: Connection, _ path: String) throws -> Model? {
        try StoreFile.readModelCache(connection).map { try ModelFile.readModel(cache: $0, file: path) }
    }

    static func model(_ path: String) throws -> Model {
        try ModelFile.readModel(at: root.appendingPathComponent(path))
    }

    /// Copies a store with its log into a new folder, and returns the copy's path.
    static func copy(_ path: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appendingPathComponent("copy.sqlite").path
        for suffix in ["", "-wal"] {
            let source = root.appendingPathComponent(path).path + suffix
            guard let data = FileManager.default.contents(atPath: source) else { continue }
            try data.write(to: URL(fileURLWithPath: copy + suffix))
        }
        return copy
    }

    private static func files(in folder: String) -> [String] {
        parts.flatMap { part in
            let base = root.appendingPathComponent("\(part)/\(folder)")
            let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
            return paths.map { "\(part)/\(folder)/\($0)" }.sorted()
        }
    }
}
