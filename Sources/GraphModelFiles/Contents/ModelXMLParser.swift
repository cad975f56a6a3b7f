// XML to ModelNode, over Foundation's event parser. Called by ModelFile only; external entities are not loaded.
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Parses XML into a tree of elements.
final class ModelXMLParser: NSObject, XMLParserDelegate {
    /// Why a text is not XML.
    struct Failure: Error {
        var message: String
    }

    private var open: [ModelNode] = []
    private var root: ModelNode?
    private let keepsText: Bool

    private init(keepsText: Bool) {
        self.keepsText = keepsText
    }

    /// The root element; with the text inside of elements where it is asked for.
    static func parse(_ data: Data, keepsText: Bool = false) throws(Failure) -> ModelNode {
        let delegate = ModelXMLParser(keepsText: keepsText)
        let parser = XMLParser(data: data)
        parser.delegate = delegate
        guard parser.parse(), let root = delegate.root else {
            throw Failure(
                message: "this is not XML: the parser stopped at line \(max(1, parser.lineNumber)). Correct the file, "
                    + "or save the model in Xcode again."
            )
        }
        return root
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(ModelNode(name: elementName, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if keepsText, !open.isEmpty { open[open.count - 1].content += string }
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard let node = open.popLast() else { return }
        if open.isEmpty {
            root = node
        } else {
            open[open.count - 1].children.append(node)
        }
    }
}
