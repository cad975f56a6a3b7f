// An XML element as a value, independent of models. Created by ModelXMLParser and EditorModelReader, read by
// ContentsReader and MappingReader.

/// An XML element: its name, attributes and child elements.
///
/// The parser leaves out text unless asked for it; models have none.
struct ModelNode: Hashable {
    var name: String
    var attributes: [String: String]
    var children: [ModelNode] = []
    var content = ""

    /// The value of an attribute, or nil if it is missing.
    subscript(_ attribute: String) -> String? {
        get { attributes[attribute] }
        set { attributes[attribute] = newValue }
    }

    /// The value of an attribute, or nil if it is missing or empty.
    func text(_ attribute: String) -> String? {
        guard let value = attributes[attribute], !value.isEmpty else { return nil }
        return value
    }

    /// The child elements with this name.
    func children(named name: String) -> [ModelNode] {
        children.filter { $0.name == name }
    }

    /// Adds lists of names, such as uniqueness constraints: an outer element, an element per list, and one per name.
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
