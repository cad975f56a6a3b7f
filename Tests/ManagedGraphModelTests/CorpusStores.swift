// Copies of the stores that Apple's frameworks wrote, for tests that open them.
import Foundation

extension Corpus {
    /// SQLite stores, by path below the corpus.
    static func stores() -> [String] {
        paths(in: "stores", endingIn: "").filter { path in
            guard !path.hasSuffix("-wal"), !path.hasSuffix("-shm"),
                let handle = FileHandle(forReadingAtPath: url.appendingPathComponent(path).path)
            else { return false }
            defer { try? handle.close() }
            return (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8)
        }
    }

    /// Runs `body` with a copy of a store and its log in a temporary folder.
    static func withCopy<R>(of path: String, _ body: (URL) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("copy.sqlite")
        for suffix in ["", "-wal"] {
            guard let data = FileManager.default.contents(atPath: url.appendingPathComponent(path).path + suffix) else {
                continue
            }
            try data.write(to: URL(fileURLWithPath: copy.path + suffix))
        }
        return try body(copy)
    }
}
