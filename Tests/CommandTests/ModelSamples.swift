// Model files for tests of the commands that read them.
import Foundation

/// A folder with model files; the test removes it.
struct ModelSamples {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "model-samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file into the folder.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    /// Writes an `.xcdatamodel` and returns its path.
    func model(_ entities: String, named name: String = "Sample") throws -> String {
        let path = "\(name).xcdatamodel"
        try write(Self.contents(entities), to: "\(path)/contents")
        return folder.appending(path: path).path
    }

    /// Writes an `.xcdatamodeld` whose last version is the current one, and returns its path.
    func versions(_ versions: [(name: String, entities: String)], named name: String = "Sample") throws -> String {
        for version in versions {
            try write(Self.contents(version.entities), to: "\(name).xcdatamodeld/\(version.name).xcdatamodel/contents")
        }
        let list = ["_XCCurrentVersionName": "\(versions.last?.name ?? "").xcdatamodel"]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        let url = folder.appending(path: "\(name).xcdatamodeld")
        try data.write(to: url.appending(path: ".xccurrentversion"))
        return url.path
    }

    private static func contents(_ entities: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="23A344" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        \(entities)
        </model>
        """
    }
}
