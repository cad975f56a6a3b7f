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

    /// Some files of a kind, for tests that take long for each.
    ///
    /// - Parameters:
    ///   - kind: The kind of files.
    ///   - step: Of the published files, one in this number is taken, other ones in each run; ALL_FILES=1 in the
    ///     environment takes all of them.
    /// - Returns: All fixtures, and some of the published files.
    package static func sample(_ kind: FileKind, oneIn step: Int) -> [CollectedFile] {
        guard !takesAllFiles else { return files(kind) }
        let first = Int.random(in: 0..<step)
        return fixtures.files(kind)
            + all.filter { !$0.isFixtures }.flatMap { $0.files(kind) }.enumerated()
            .filter { $0.offset % step == first }.map(\.element)
    }

    /// Whether tests read whole collections in place of samples.
    package static let takesAllFiles = ProcessInfo.processInfo.environment["ALL_FILES"] != nil

    /// The number of parts that a test must find at least in a sample.
    ///
    /// - Parameters:
    ///   - published: The number in all published files. As files differ in size, half of the sample's share counts.
    ///   - fixtures: The number in `Tests/Fixtures`.
    ///   - step: The step of the sample.
    /// - Returns: The number in the sample of the collections that are present.
    package static func least(_ published: Int, fixtures: Int, oneIn step: Int) -> Int {
        least(takesAllFiles ? published : published / step / 2, fixtures: fixtures)
    }

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
