// An XML element as a value. Made by ModelXMLParser and EditorModelReader, read by ContentsReader and MappingReader; it knows nothing of models.

/// An XML element: its name, attributes and child elements.
///
/// Text is left out unless the parser is asked for it; models have none.
struct ModelNode: Hashable {
    var name: String
    var attributes: [String: String]
    var children: [ModelNode] = []
    var content = ""

    /// The value of an attribute, nil where it is missing.
    subscript(_ attribute: String) -> String? {
        get { attributes[attribute] }
        set { attributes[attribute] = newValue }
    }

    /// The value of an attribute, nil where it is missing or empty.
    func text(_ attribute: String) -> String? {
        guard let value = attributes[attribute], !value.isEmpty else { return nil }
        return value
    }

    /// The child elements with this name.
    func children(named name: String) -> [ModelNode] {
        children.filter { $0.name == name }
    }

    /// Adds lists of names, such as uniqueness constraints: an element for all, one for each list, one for each name.
    mutating func add(_ outer: String, _ inner: String, _ leaf: String, _ lists: [[String]]) {
        guard !lists.isEmpty else { return }
        var node = ModelNode(name: outer, attributes: [:])
        node.children = lists.map { names in
            var list = ModelNode(name: inner, attributes: [:])
            list.children = names.map { ModelNode(name: leaf, attributes: ["value": $0]) }
            return list
        }
        children.append(node)
    }
}
