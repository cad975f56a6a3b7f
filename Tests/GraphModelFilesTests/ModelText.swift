// Small models as text, for the reader's tests.
import Foundation
import GraphModel
import GraphModelFiles

/// Makes the text of a model and reads it.
enum ModelText {
    /// A whole model around these elements.
    static func model(_ body: String, identifier: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        userDefinedModelVersionIdentifier="\(identifier)">
        \(body)
        </model>
        """
    }

    /// The model with these elements.
    static func read(_ body: String, identifier: String = "") throws -> Model {
        try ModelFile.readModel(
            contents: Data(model(body, identifier: identifier).utf8),
            file: "Test.xcdatamodel/contents"
        )
    }

    /// The properties of the entity `E` that has these elements.
    static func readProperties(_ body: String) throws -> [Property] {
        try read("<entity name=\"E\">\(body)</entity>").entities.first?.properties ?? []
    }

    /// The one attribute `a` with these XML attributes.
    static func readAttribute(_ xml: String) throws -> Attribute? {
        guard case .attribute(let attribute)? = try readProperties("<attribute name=\"a\" \(xml)/>").first else {
            return nil
        }
        return attribute
    }
}

/// A folder that is deleted when the value is dropped.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a text to a path inside, with the folders on the way.
    func write(_ text: String, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}
