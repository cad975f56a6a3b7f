// The content of XML and binary stores, read without the framework's stores, for comparing two files.
import Foundation
import GraphArchives

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The content of an XML store.
final class XMLShape: NSObject, XMLParserDelegate {
    struct Object {
        var type = ""
        var identifier = ""
        var attributes: [String: (type: String, text: String)] = [:]
        var relationships: [String: (bounds: String, destination: String, references: Set<String>)] = [:]
        /// The whole object as one text, except for relationships added by the derived model.
        var summary: String {
            let values = attributes.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.type)=\($0.value.text)" }
            let related = relationships.filter { !$0.key.hasPrefix("back_") }.sorted { $0.key < $1.key }.map {
                "\($0.key)=\($0.value.references.sorted())"
            }
            return "\(type) \(values) \(related)"
        }
    }

    private(set) var objects: [Object] = []
    private(set) var uuid = ""
    private var text = ""
    private var name = ""

    static func read(_ data: Data) throws -> XMLShape {
        let shape = XMLShape()
        let parser = XMLParser(data: data)
        parser.delegate = shape
        guard parser.parse() else { throw CocoaError(.fileReadCorruptFile) }
        return shape
    }

    func parser(
        _ parser: XMLParser,
        didStartElement element: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        name = attributes["name"] ?? ""
        switch element {
        case "object": objects.append(Object(type: attributes["type"] ?? "", identifier: attributes["id"] ?? ""))
        case "attribute": objects[objects.count - 1].attributes[name] = (attributes["type"] ?? "", "")
        case "relationship":
            let references = (attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
            objects[objects.count - 1].relationships[name] = (
                attributes["type"] ?? "", attributes["destination"] ?? "", Set(references)
            )
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
        if element == "attribute" { objects[objects.count - 1].attributes[name]?.text = text }
        if element == "UUID" { uuid = text }
    }
}
