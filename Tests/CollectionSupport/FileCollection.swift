// A folder of files in Core Data's formats.
import Foundation

package struct FileCollection: Sendable, Hashable {
    package let name: String
    package let folder: URL
    /// Whether this collection is `Tests/Fixtures`, which has no folders for kinds of files.
    package let isFixtures: Bool

    /// The collection's files of a kind, sorted by path.
    package func files(_ kind: FileKind) -> [CollectedFile] {
        let (part, ending) = kind.place
        let base = isFixtures ? folder : folder.appendingPathComponent(part)
        var paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        // Parts of models and mapping models are XML too.
        if isFixtures, kind.isStore { paths.removeAll { $0.contains("/") } }
        return paths.filter { $0.hasSuffix(ending) && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
            .map { CollectedFile(collection: self, path: isFixtures ? $0 : "\(part)/\($0)") }
            .filter { Self.begins($0, with: kind.beginning) }
    }

    /// The file of a path.
    package func file(_ path: String) -> CollectedFile { CollectedFile(collection: self, path: path) }

    private static func begins(_ file: CollectedFile, with text: String) -> Bool {
        guard !text.isEmpty else { return true }
        guard let handle = FileHandle(forReadingAtPath: file.url.path) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: text.utf8.count)) == Data(text.utf8)
    }
}
