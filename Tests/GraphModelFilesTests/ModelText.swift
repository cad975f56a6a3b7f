// Small models as text, for tests of the reader.
import Foundation
import GraphModel
import GraphModelFiles

/// Makes the text of a model and parses it.
enum ModelText {
    /// The text of a model with these elements.
    static func model(_ body: String, identifier: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
        userDefinedModelVersionIdentifier="\(identifier)">
        \(body)
        </model>
        """
    }

    /// Parses a model with these elements.
    static func read(_ body: String, identifier: String = "") throws -> Model {
        try ModelFile.readModel(
            contents: Data(model(body, identifier: identifier).utf8),
            file: "Test.xcdatamodel/contents"
        )
    }

    /// Parses the properties of an entity `E` with these elements.
    static func readProperties(_ body: String) throws -> [Property] {
        try read("<entity name=\"E\">\(body)</entity>").entities.first?.properties ?? []
    }

    /// Parses an attribute `a` with these XML attributes.
    static func readAttribute(_ xml: String) throws -> Attribute? {
        guard case .attribute(let attribute)? = try readProperties("<attribute name=\"a\" \(xml)/>").first else {
            return nil
        }
        return attribute
    }
}
