// A `contents` file for editing: the model, and the rest of the file in its own spelling. Used by the command that
// converts models and by editors. It reads and returns bytes; ModelOutput writes files.
import Foundation
import GraphModel

/// The text of one model version.
///
/// An unchanged document is written back byte for byte. A change of the model changes only the affected lines.
package struct ModelDocument: Sendable, Hashable {
    private var prolog: String
    private var root: ContentsElement
    private var epilog: String
    /// The model in the text.
    package private(set) var model: Model
    /// The problems in the text; none of level `error` unless the document keeps faults.
    package private(set) var findings: [ModelProblem]
    /// The name for errors.
    package let file: String
    /// Whether the model keeps the parts that Apple's compiler drops or refuses, so that an editor can correct them.
    private let keepsFaults: Bool

    /// Reads the text of a model.
    ///
    /// - Parameters:
    ///   - contents: The XML.
    ///   - file: The name for errors.
    ///   - keepsFaults: Whether to accept a model that Apple's compiler refuses, and to keep the parts that it drops.
    /// - Throws: `ModelFileError`, naming the entity and property if there is one.
    package init(contents: Data, file: String, keepsFaults: Bool = false) throws {
        let node = try ModelFile.rootOfModel(contents, file: file)
        let reading = try ModelFile.examine(node, file: file, keepsFaults: keepsFaults)
        (model, findings) = (reading.model, reading.findings)
        self.file = file
        self.keepsFaults = keepsFaults
        if let parts = try? ContentsParser.parse([UInt8](contents)), parts.root.node == node {
            (prolog, root, epilog) = parts
        } else {
            // The text has another encoding, or definitions, which are unusual for models: use Xcode's spelling.
            (prolog, root, epilog) = (Self.declaration, ContentsElement(node).laidOut(), "")
        }
    }

    /// Reads the text of a model.
    ///
    /// - Parameters:
    ///   - url: An `.xcdatamodel` folder, or the `contents` in it. Generates the text for a model of another form.
    ///   - keepsFaults: As for `init(contents:file:keepsFaults:)`.
    /// - Throws: `ModelFileError`, naming the entity and property if there is one.
    package init(at url: URL, keepsFaults: Bool = false) throws {
        let file = try ModelFile.modelFile(at: url)
        let data = try ModelFile.content(of: file)
        if data.starts(with: Data("bplist00".utf8)) {
            try self.init(model: ModelFile.readModel(data, file: file.path), file: file.path)
        } else if let foreign = ModelFile.foreignKind(of: data) {
            throw ModelFileError(file: file.path, reason: foreign)
        } else {
            try self.init(contents: data, file: file.path, keepsFaults: keepsFaults)
        }
    }

    /// Generates the text of a model, as Xcode would write it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - file: The name for errors.
    /// - Throws: `ModelFileError` for an invalid model.
    package init(model: Model, file: String) throws {
        self.file = file
        keepsFaults = false
        prolog = Self.declaration
        epilog = ""
        root = ContentsWriter.root(of: model)
        for (name, value) in Self.header { root.set(name, to: value) }
        root = root.laidOut()
        let reading = try ModelFile.examine(root.node, file: file)
        (self.model, findings) = (reading.model, reading.findings)
    }

    /// The XML declaration that Xcode writes before the model.
    private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

    /// The header of a new model in Xcode 16.
    private static let header = [
        ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
        ("lastSavedToolsVersion", "23231"), ("systemVersion", "24A335"), ("minimumToolsVersion", "Automatic"),
        ("sourceLanguage", "Swift"),
    ]

    /// The encoded text.
    ///
    /// O(n) in its length.
    package var contents: Data { Data((prolog + root.text + epilog).utf8) }

    /// Refuses characters that XML cannot represent, with which no program could read the file.
    ///
    /// O(n) in the length of the text.
    ///
    /// - Throws: `ModelFileError`, naming the entity and property if there is one.
    package func checkCharacters() throws(ModelFileError) {
        try checkCharacters(of: root, entity: nil, property: nil)
    }

    private func checkCharacters(
        of element: ContentsElement,
        entity: String?,
        property: String?
    ) throws(ModelFileError) {
        let isProperty = ["attribute", "relationship", "fetchedProperty"].contains(element.name)
        let entity = element.name == "entity" ? element["name"] : entity
        let property = isProperty && entity != nil ? element["name"] : property
        for attribute in element.attributes {
            guard let scalar = ContentsText.unrepresentable(in: attribute.spelling) else { continue }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            throw ModelFileError(
                file: file,
                entity: entity,
                property: property,
                reason:
                    "the text of \(attribute.name) has the character U+\(code), which XML cannot represent. Remove it.",
                code: .fileWriteUnknown
            )
        }
        for child in element.elements { try checkCharacters(of: child, entity: entity, property: property) }
    }

    /// An attribute of the whole model, such as `lastSavedToolsVersion`, `sourceLanguage` or `usedWithCloudKit`.
    ///
    /// - Parameter name: The attribute's name. Change the version identifier through the model instead.
    package subscript(header name: String) -> String? {
        get { root[name] }
        set { root.set(name, to: newValue) }
    }

    /// The names and values of all attributes of the whole model, in file order.
    package var header: [(name: String, value: String)] { root.attributes.map { ($0.name, $0.value) } }

    /// An attribute of a configuration that the model does not represent, such as `usedWithCloudKit`.
    ///
    /// - Parameters:
    ///   - name: The configuration's name.
    ///   - attribute: The attribute's name.
    package subscript(configuration name: String, attribute: String) -> String? {
        get { root.elements.first { $0.name == "configuration" && $0["name"] == name }?[attribute] }
        set {
            let place = root.children.firstIndex {
                $0.element?.name == "configuration" && $0.element?["name"] == name
            }
            guard let place, var element = root.children[place].element else { return }
            element.set(attribute, to: newValue)
            root.children[place] = .element(element)
        }
    }

    /// The elements as written, for parts outside the model, such as `syncable` and unknown attributes.
    package var element: ContentsElement { root }

    // MARK: Changes

    /// Changes the text to represent another model.
    ///
    /// Unchanged parts keep their spelling. An element with another name at the same position among its kind counts as
    /// renamed, so that it keeps the parts that the model does not represent.
    ///
    /// - Parameter new: The model.
    /// - Returns: The parts of the model that this format cannot represent and that were left out; usually empty.
    /// - Throws: `ModelFileError` for an invalid model; the document is then unchanged.
    @discardableResult package mutating func update(to new: Model) throws -> [ModelProblem] {
        guard new != model else { return [] }
        let saysSyncable =
            root.elements.lazy.filter { $0.name == "entity" }.flatMap(\.elements)
            .first { ["attribute", "relationship"].contains($0.name) }?["syncable"] != nil
        var changed = root
        ContentsPatch.apply(
            to: &changed,
            from: ContentsWriter.root(of: model, saysSyncable: saysSyncable),
            to: ContentsWriter.root(of: new, saysSyncable: saysSyncable),
            indentation: ""
        )
        Self.follow(model, new, in: &changed)
        let read = try ModelFile.examine(changed.node, file: file, keepsFaults: keepsFaults)
        (root, model, findings) = (changed, read.model, read.findings)
        return ContentsLosses.list(of: new, writtenAs: read.model)
    }

    /// The parts of a model that are missing from this text.
    package func losses(of wanted: Model) -> [ModelProblem] { ContentsLosses.list(of: wanted, writtenAs: model) }

    // MARK: The diagram

    /// The position and size of an entity in the editor's diagram.
    package struct Box: Sendable, Hashable {
        /// The entity's name.
        package var name: String
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(name: String, x: Double, y: Double, width: Double, height: Double) {
            self.name = name
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// The boxes of the editor's diagram; nil if the file has none, as in newer versions.
    package var diagram: [Box]? {
        get {
            root.elements.last { $0.name == "elements" }?.elements.map { element in
                func number(_ name: String) -> Double { element[name].flatMap { Double($0) } ?? 0 }
                return Box(
                    name: element["name"] ?? "",
                    x: number("positionX"),
                    y: number("positionY"),
                    width: number("width"),
                    height: number("height")
                )
            }
        }
        set {
            let (old, new) = (Self.elements(diagram), Self.elements(newValue))
            var (before, after) = (ContentsElement("model"), ContentsElement("model"))
            before.children = old.map { [.element($0)] } ?? []
            after.children = new.map { [.element($0)] } ?? []
            ContentsPatch.apply(to: &root, from: before, to: after, indentation: "")
        }
    }

    private static func elements(_ boxes: [Box]?) -> ContentsElement? {
        guard let boxes else { return nil }
        func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
        var result = ContentsElement("elements")
        result.children = boxes.map { box in
            .element(
                ContentsElement(
                    "element",
                    [
                        ("name", box.name), ("positionX", text(box.x)), ("positionY", text(box.y)),
                        ("width", text(box.width)), ("height", text(box.height)),
                    ]
                )
            )
        }
        return result
    }

    /// Updates an existing diagram for added, removed and renamed entities.
    private static func follow(_ old: Model, _ new: Model, in root: inout ContentsElement) {
        guard let place = root.children.lastIndex(where: { $0.element?.name == "elements" }),
            var diagram = root.children[place].element
        else { return }
        let (before, after) = (old.entities.map(\.name), new.entities.map(\.name))
        guard before != after else { return }
        var renamed: [String: String] = [:]
        if before.count == after.count {
            for (oldName, newName) in zip(before, after) where !after.contains(oldName) && !before.contains(newName) {
                renamed[oldName] = newName
            }
        }
        let boxes = diagram.elements.map { ContentsElement("element", [("name", $0["name"])]) }
        var (from, to) = (ContentsElement("elements"), ContentsElement("elements"))
        from.children = boxes.map { .element($0) }
        var names = boxes.compactMap { box -> String? in
            guard let name = box["name"] else { return nil }
            return renamed[name] ?? (before.contains(name) && !after.contains(name) ? nil : name)
        }
        names += after.filter { !before.contains($0) && !names.contains($0) }
        to.children = names.map { name in
            let isNew = !boxes.contains { $0["name"] == name } && !renamed.values.contains(name)
            let size: [(String, String?)] =
                isNew ? [("positionX", "0"), ("positionY", "0"), ("width", "128"), ("height", "44")] : []
            return .element(ContentsElement("element", [("name", name)] + size))
        }
        ContentsPatch.apply(to: &diagram, from: from, to: to, indentation: ContentsText.step)
        root.children[place] = .element(diagram)
    }
}

extension ContentsElement {
    /// An element in Xcode's spelling and order.
    init(_ node: ModelNode) {
        self.init(node.name, node.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        attributes = ContentsOrder.sorted(attributes, of: node.name)
        children = node.children.map { .element(ContentsElement($0)) }
    }
}
