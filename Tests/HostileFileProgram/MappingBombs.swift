// Mapping models in XML with very many parts, and with parts that refer to each other.
import Foundation

/// Hostile mapping models.
enum MappingBombs {
    private static func mapping(_ objects: String) -> Data {
        Data(("<?xml version=\"1.0\"?><database><databaseInfo></databaseInfo>" + objects + "</database>").utf8)
    }

    /// Very many small objects.
    static func objects(_ size: Int) -> Data {
        let part = "<object type=\"XDDEVMAPPINGMODEL\" id=\"z1\"></object>"
        return mapping(String(repeating: part, count: size / part.utf8.count))
    }

    /// An object with very many references.
    static func references(_ size: Int) -> Data {
        mapping(
            "<object type=\"XDDEVMAPPINGMODEL\" id=\"z1\"><relationship name=\"entitymappings\" idrefs=\""
                + String(repeating: "z ", count: size / 2) + "\"></relationship></object>"
        )
    }

    /// Entity mappings that refer to each other.
    static func inThemselves(_ count: Int) -> Data {
        let all = (1...count).map { "z\($0)" }.joined(separator: " ")
        let mappings = (1...count).map {
            "<object type=\"XDDEVENTITYMAPPING\" id=\"z\($0)\"><attribute name=\"name\" type=\"string\">m\($0)</attribute>"
                + "<relationship name=\"attributemappings\" idrefs=\"\(all)\"></relationship></object>"
        }
        return mapping(
            "<object type=\"XDDEVMAPPINGMODEL\" id=\"z0\"><relationship name=\"entitymappings\" idrefs=\"\(all)\">"
                + "</relationship></object>" + mappings.joined()
        )
    }
}
