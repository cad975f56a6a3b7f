// The collections of files that tests of formats read: the repository's own, which a script writes from the documented
// formats, and, if they are beside the repository, larger ones that Apple's tools wrote. Used by all test modules.
import Foundation

package enum Collections {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The folder beside the repository with files that are not part of it.
    private static let shared = root.deletingLastPathComponent().appendingPathComponent("shared")

    /// The files of `Tests/Fixtures`.
    package static let fixtures = FileCollection(
        name: "Fixtures",
        folder: root.appendingPathComponent("Tests/Fixtures"),
        isFixtures: true
    )

    /// Files that Apple's tools wrote, from public repositories; nil if they are absent.
    package static let published = collection("corpus")

    /// Files added to `published` later.
    package static let publishedLater = collection("corpus-2")

    /// Reports of predicates and their values from public code; nil if they are absent.
    package static let reports = collection("apple")

    /// The collections that are present.
    package static let all = [fixtures, published, publishedLater].compactMap(\.self)

    /// The files of a kind in all collections.
    package static func files(_ kind: FileKind) -> [CollectedFile] { all.flatMap { $0.files(kind) } }

    /// The number of files or parts that a test must find at least.
    ///
    /// - Parameters:
    ///   - published: The number in the published files, which counts if they are present.
    ///   - fixtures: The number in `Tests/Fixtures`.
    /// - Returns: The number in the collections that are present.
    package static func least(_ published: Int, fixtures: Int) -> Int {
        fixtures + (self.published == nil ? 0 : published)
    }

    private static func collection(_ name: String) -> FileCollection? {
        let folder = shared.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
        return FileCollection(name: name, folder: folder, isFixtures: false)
    }
}
