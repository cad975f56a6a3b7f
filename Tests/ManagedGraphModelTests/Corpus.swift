// Locates the files that Apple's tools wrote. They are not part of the package; tests that need them skip without.
import Foundation

/// The collection of real model files beside the package.
enum Corpus {
    /// The folder, found from this source file: `shared/corpus` beside the package's root.
    static let url: URL = {
        let source = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        let root = source.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return root.deletingLastPathComponent().appendingPathComponent("shared/corpus")
    }()

    static let isPresent = FileManager.default.fileExists(atPath: url.appendingPathComponent("hashpairs.json").path)

    /// The paths below a folder that end in one of these names, sorted by name.
    static func paths(in folder: String, endingIn ending: String) -> [String] {
        let base = url.appendingPathComponent(folder)
        guard let all = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return all.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }
}
