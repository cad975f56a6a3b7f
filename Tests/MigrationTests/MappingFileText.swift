// Writes small mapping models as Xcode's editor does, but without embedded models: tests use the versions beside them.
import Foundation
import ManagedGraph

enum MappingFileText {
    /// Writes a mapping model for one entity, whose name is unchanged, beside the versions' folder.
    static func write(
        _ entity: String,
        from source: Int,
        to destination: Int,
        attributes: [String],
        relationships: [String],
        _ versions: Versions,
        of model: String = "Model"
    ) throws {
        func property(_ kind: String, _ id: Int, _ name: String) -> String {
            "<object type=\"\(kind)\" id=\"z\(id)\"><attribute name=\"name\" type=\"string\">\(name)</attribute></object>"
        }
        func path(_ version: Int) -> String { "\(model).xcdatamodeld/V\(version).xcdatamodel" }
        let attributeIDs = attributes.indices.map { "z\(200 + $0)" }.joined(separator: " ")
        let relationshipIDs = relationships.indices.map { "z\(300 + $0)" }.joined(separator: " ")
        let xml =
            "<?xml version=\"1.0\"?><database><object type=\"XDDEVMAPPINGMODEL\" id=\"z100\">"
            + "<attribute name=\"sourcemodelpath\" type=\"string\">\(path(source))</attribute>"
            + "<attribute name=\"destinationmodelpath\" type=\"string\">\(path(destination))</attribute></object>"
            + "<object type=\"XDDEVENTITYMAPPING\" id=\"z101\"><attribute name=\"sourcename\" type=\"string\">\(entity)"
            + "</attribute><attribute name=\"destinationname\" type=\"string\">\(entity)</attribute>"
            + "<relationship name=\"attributemappings\" idrefs=\"\(attributeIDs)\"/>"
            + "<relationship name=\"relationshipmappings\" idrefs=\"\(relationshipIDs)\"/></object>"
            + attributes.enumerated().map { property("XDDEVATTRIBUTEMAPPING", 200 + $0, $1) }.joined()
            + relationships.enumerated().map { property("XDDEVRELATIONSHIPMAPPING", 300 + $0, $1) }.joined()
            + "</database>"
        let folder = versions.folder.appending(path: "V\(source)ToV\(destination).xcmappingmodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(xml.utf8).write(to: folder.appending(path: "xcmapping.xml"))
    }
}
