// Reads an XML store by the events of a parser, which need no memory for a tree. Used by XMLStoreFile.
import Foundation
import GraphArchives

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Receives the parser's events.
final class XMLStoreFileReader: NSObject, XMLParserDelegate {
    var file = XMLStoreFile()
    var reason: String?
    var isFinished = false
    private var path: [String] = []
    private var text = ""
    private var object: XMLStoreFile.Object?
    private var attribute = XMLStoreFile.Attribute()
    private let list = XMLPropertyListReader()

    private func fail(_ parser: XMLParser, _ sentence: String) {
        if reason == nil { reason = "\(sentence) (line \(parser.lineNumber))" }
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(name)
        text = ""
        if path.count > 64 { return fail(parser, "elements are nested too deeply") }
        if list.isOpen || name == "plist" { return list.begin(name) }
        switch (path.count, name) {
        case (1, "database"), (2, "databaseInfo"), (3, "version"), (3, "UUID"), (3, "nextObjectID"), (3, "metadata"):
            break
        case (1, _):
            fail(parser, "its root element is \(name), not database")
        case (2, "object"):
            guard let type = attributes["type"], let identifier = attributes["id"] else {
                return fail(parser, "an object has no type or no id")
            }
            object = XMLStoreFile.Object(type: type, identifier: identifier)
        case (3, "attribute") where object != nil:
            guard let name = attributes["name"], let type = attributes["type"] else {
                return fail(parser, "an attribute has no name or no type")
            }
            attribute = XMLStoreFile.Attribute(name: name, type: type)
        case (3, "relationship") where object != nil:
            guard let name = attributes["name"] else { return fail(parser, "a relationship has no name") }
            // One by one: a list of parts would take more memory than the names.
            var references: [String] = []
            var rest = (attributes["idrefs"] ?? "")[...]
            while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
                rest = rest[start...]
                let end = rest.firstIndex(where: \.isWhitespace) ?? rest.endIndex
                references.append(String(rest[..<end]))
                rest = rest[end...]
            }
            object?.relationships.append(
                XMLStoreFile.Relationship(
                    name: name,
                    bounds: attributes["type"] ?? "",
                    destination: attributes["destination"] ?? "",
                    references: references
                )
            )
        default:
            fail(parser, "the element \(name) has no place in a store")
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        path.removeLast()
        defer { text = "" }
        if list.isOpen {
            guard list.end(name, text) else { return fail(parser, "the metadata are not a property list") }
            if name == "plist" { file.metadata = list.result }
            return
        }
        switch (path.count + 1, name) {
        case (3, "UUID"): file.uuid = text.trimmingCharacters(in: .whitespacesAndNewlines)
        case (3, "nextObjectID"):
            guard let number = Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)), number >= 0 else {
                return fail(parser, "nextObjectID is not a number")
            }
            file.lastNumber = number
        case (3, "attribute"):
            attribute.text = text
            object?.attributes.append(attribute)
        case (2, "object"):
            if let object { file.objects.append(object) }
            object = nil
        case (1, "database"): isFinished = true
        default: break
        }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        if reason == nil {
            reason = "it is not an XML file, or is damaged (line \(parser.lineNumber), column \(parser.columnNumber))"
        }
    }
}
