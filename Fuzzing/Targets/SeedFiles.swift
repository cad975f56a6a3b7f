// The seeds of the parsers that fuzzing calls. Used by the lists of FuzzTarget.
import Foundation

/// The files of the repository that are seeds.
enum SeedFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    private static let fixtures = root.appending(path: "Tests/Fixtures")

    /// The files in the folder of a parser's former failures; none if there is no folder.
    static func failures(_ name: String) throws -> [Data] {
        let folder = root.appending(path: "Fuzzing/Failures/\(name)")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { try Data(contentsOf: folder.appending(path: $0)) }
    }

    /// The lines of a text file in the folder Fuzzing.
    static func lines(_ name: String) throws -> [Data] {
        try Data(contentsOf: root.appending(path: "Fuzzing/\(name)")).split(separator: 10).map { Data($0) }
    }

    /// The repository's formats, and those of the collections of predicates, one of which is beside the repository.
    static func formats() throws -> [Data] {
        let lists = [url("predicates.json"), root.appending(path: "../shared/apple/predicates.json")]
        let listed = try lists.filter { FileManager.default.fileExists(atPath: $0.path) }.flatMap { list in
            let entries = try JSONSerialization.jsonObject(with: Data(contentsOf: list)) as? [[String: Any]] ?? []
            return entries.filter { $0["dialect"] as? String == "nspredicate" }.compactMap { $0["format"] as? String }
        }
        return try lines("formats.txt") + listed.map { Data($0.utf8) }
    }

    /// The contents of all fixtures whose names end in one of these texts.
    static func fixtures(_ ends: String...) throws -> [Data] {
        let files = FileManager.default.enumerator(at: fixtures, includingPropertiesForKeys: nil)
        let matches = (files?.allObjects as? [URL] ?? []).filter { file in ends.contains { file.path.hasSuffix($0) } }
        return try matches.sorted { $0.path < $1.path }.map { try Data(contentsOf: $0) }
    }

    /// The location of a fixture.
    static func url(_ name: String) -> URL { fixtures.appending(path: name) }
}
