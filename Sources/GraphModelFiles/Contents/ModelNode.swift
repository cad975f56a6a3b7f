// An XML element as a value. Made by ModelXMLParser, read by ContentsReader and MappingReader; it knows nothing of models.

/// An XML element: its name, attributes and child elements.
///
/// Text is left out unless the parser is asked for it; models have none.
struct ModelNode {
    var name: String
    var attributes: [String: String]
    var children: [ModelNode] = []
    var content = ""

    /// The value of an attribute, nil where it is missing.
    subscript(_ attribute: String) -> String? { attributes[attribute] }

    /// The value of an attribute, nil where it is missing or empty.
    func text(_ attribute: String) -> String? {
        guard let value = attributes[attribute], !value.isEmpty else { return nil }
        return value
    }

    /// The child elements with this name.
    func children(named name: String) -> [ModelNode] {
        children.filter { $0.name == name }
    }
}
