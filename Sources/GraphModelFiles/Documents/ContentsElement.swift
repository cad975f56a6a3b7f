// An XML element with its spelling: the order of its attributes, its spaces, its comments. It is independent of models.
// Created by ContentsParser and ContentsWriter, changed by ContentsPatch, kept by ModelDocument.

/// An element of a `contents` file with its spelling; an unchanged element is written back byte for byte.
package struct ContentsElement: Sendable, Hashable {
    /// An attribute with its spelling.
    package struct Attribute: Sendable, Hashable {
        package let name: String
        /// The text between the quotation marks, including escapes.
        private(set) var spelling: String
        /// The space before the name.
        var space = " "
        /// The text between name and value: an equals sign, possibly with spaces.
        var equals = "="
        var quote = "\""

        /// The unescaped value.
        package var value: String {
            get { ContentsText.value(of: spelling) }
            set { spelling = ContentsText.escaped(newValue, quote: quote) }
        }

        init(name: String, spelling: String, space: String, equals: String, quote: String) {
            self.name = name
            self.spelling = spelling
            self.space = space
            self.equals = equals
            self.quote = quote
        }

        init(_ name: String, _ value: String) {
            self.name = name
            spelling = ContentsText.escaped(value, quote: "\"")
        }

        var text: String { space + name + equals + quote + spelling + quote }
    }

    /// The content between the tags.
    package enum Child: Sendable, Hashable {
        case element(ContentsElement)
        /// Spaces, text and comments.
        case other(String)

        var element: ContentsElement? { if case .element(let element) = self { element } else { nil } }
        var isBlank: Bool { if case .other(let text) = self { text.allSatisfy(\.isWhitespace) } else { false } }
    }

    package let name: String
    package internal(set) var attributes: [Attribute]
    package internal(set) var children: [Child] = []
    /// The space between the last attribute and the end of the tag.
    var space = ""
    /// The end tag; nil for an empty-element tag.
    var endTag: String?

    init(_ name: String, _ attributes: [(String, String?)] = []) {
        self.name = name
        self.attributes = attributes.compactMap { name, value in value.map { Attribute(name, $0) } }
    }

    /// The value of an attribute, or nil if it is missing.
    package subscript(_ attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }

    /// The child elements, in order.
    package var elements: [ContentsElement] { children.compactMap(\.element) }

    /// The element with its spelling.
    package var text: String {
        var result = "<" + name
        for attribute in attributes { result += attribute.text }
        result += space
        guard let endTag else { return result + "/>" }
        result += ">"
        for child in children {
            switch child {
            case .element(let element): result += element.text
            case .other(let text): result += text
            }
        }
        return result + endTag
    }

    /// The element without its spelling; models have no text.
    var node: ModelNode { node(keepsText: false) }

    /// The element without its spelling.
    func node(keepsText: Bool) -> ModelNode {
        var node = ModelNode(name: name, attributes: [:])
        for attribute in attributes { node.attributes[attribute.name] = attribute.value }
        for child in children {
            switch child {
            case .element(let element): node.children.append(element.node(keepsText: keepsText))
            case .other(let text): if keepsText { node.content += ContentsText.content(of: text) }
            }
        }
        return node
    }

    /// Sets or removes an attribute; inserts a new one in Xcode's position, if its neighbors are in Xcode's order.
    mutating func set(_ attribute: String, to value: String?) {
        let place = attributes.firstIndex { $0.name == attribute }
        switch (place, value) {
        case (let place?, let value?):
            if attributes[place].value != value { attributes[place].value = value }
        case (let place?, nil): attributes.remove(at: place)
        case (nil, let value?):
            let before = ContentsOrder.attributesBefore(attribute, of: name)
            let last = attributes.lastIndex { before.contains($0.name) }
            attributes.insert(Attribute(attribute, value), at: last.map { $0 + 1 } ?? min(1, attributes.count))
        case (nil, nil): break
        }
    }

    /// The element in Xcode's layout: four spaces for each level, and no comments or text.
    func laidOut(indentation: String = "") -> ContentsElement {
        var result = ContentsElement(name)
        result.attributes = attributes.map { Attribute($0.name, $0.value) }
        let inside = indentation + ContentsText.step
        result.children = elements.flatMap { element in
            [.other("\n" + inside), .element(element.laidOut(indentation: inside))]
        }
        if !result.children.isEmpty {
            result.children.append(.other("\n" + indentation))
            result.endTag = "</\(name)>"
        }
        return result
    }
}
