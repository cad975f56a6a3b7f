// Reads the XML store in which Xcode's editor keeps a mapping model (`xcmapping.xml`): objects of five kinds with
// attributes and references, and binary values in base64. Called by NSMappingModel and the code generator.
import Foundation
import GraphArchives
import GraphModel

/// Reads `.xcmappingmodel` files.
package struct MappingReader {
    /// An object of the file.
    private struct Object {
        let id: String
        let kind: String
        var values: [String: String] = [:]
        /// The identifiers of other objects, with spaces between them.
        var references: [String: String] = [:]
    }

    private let file: String
    private var objects: [String: Object] = [:]

    /// Reads a mapping model.
    ///
    /// - Parameter url: An `.xcmappingmodel` folder, the `xcmapping.xml` in it, or a `.cdm`.
    /// - Returns: The mapping.
    /// - Throws: `ModelFileError`.
    package static func read(at url: URL) throws -> MappingFile {
        let (data, file) = try contents(at: url)
        return try read(data, file: file)
    }

    /// The models inside a mapping model, if Xcode saved them with it: the source, then the destination.
    ///
    /// - Parameter url: An `.xcmappingmodel` folder, or the `xcmapping.xml` in it.
    /// - Returns: The models.
    /// - Throws: `ModelFileError`.
    package static func models(at url: URL) throws -> [Model] {
        let (data, file) = try contents(at: url)
        // A compiled mapping has only the hashes.
        if isCompiled(data) { return [] }
        guard let model = try reader(data, file: file).objects.values.first(where: { $0.kind == "XDDEVMAPPINGMODEL" })
        else { return [] }
        let none = MappingReader(file: file)
        return ["sourcemodeldata", "destinationmodeldata"].compactMap { none.embedded($0, model) }
    }

    private static func isCompiled(_ data: Data) -> Bool { data.starts(with: Data("bplist00".utf8)) }

    private static func contents(at url: URL) throws -> (data: Data, file: String) {
        let file = try ModelFile.isFolder(url) ? url.appendingPathComponent("xcmapping.xml") : url
        return (try ModelFile.content(of: file), file.path)
    }

    /// Reads a mapping model from its data.
    ///
    /// - Parameters:
    ///   - data: The XML of an `xcmapping.xml`, or the keyed archive of a `.cdm`.
    ///   - file: The name for errors.
    /// - Returns: The mapping.
    /// - Throws: `ModelFileError`.
    package static func read(_ data: Data, file: String) throws -> MappingFile {
        if isCompiled(data) { return try CompiledMappingReader.read(data, file: file) }
        return try reader(data, file: file).mapping()
    }

    private static func reader(_ data: Data, file: String) throws -> MappingReader {
        guard !data.isEmpty else {
            throw ModelFileError(file: file, reason: "the file is empty. Restore it from version control or a backup.")
        }
        let root: ModelNode
        do {
            root = try ModelXMLParser.parse(data, keepsText: true)
        } catch {
            throw ModelFileError(file: file, reason: error.message)
        }
        var reader = MappingReader(file: file)
        for node in root.children(named: "object") { reader.add(node) }
        return reader
    }

    private init(file: String) {
        self.file = file
    }

    private mutating func add(_ node: ModelNode) {
        guard let id = node["id"], let kind = node["type"] else { return }
        var object = Object(id: id, kind: kind.uppercased())
        for attribute in node.children(named: "attribute") {
            if let name = attribute["name"] { object.values[name.lowercased()] = XMLText.unescaped(attribute.content) }
        }
        for relationship in node.children(named: "relationship") {
            guard let name = relationship["name"] else { continue }
            // An empty relationship has no `idrefs`.
            object.references[name.lowercased()] = relationship["idrefs"] ?? ""
        }
        objects[id] = object
    }

    private func mapping() throws -> MappingFile {
        guard let model = objects.values.first(where: { $0.kind == "XDDEVMAPPINGMODEL" }) else {
            throw ModelFileError(
                file: file,
                reason: "this is not a mapping model: it has no XDDEVMAPPINGMODEL. Choose the xcmapping.xml of an "
                    + ".xcmappingmodel."
            )
        }
        let entities = entityMappings(of: model).sorted { left, right in
            (Self.number(left), Self.place(left.id)) < (Self.number(right), Self.place(right.id))
        }
        var result = MappingFile(
            sourcePath: model.values["sourcemodelpath"] ?? "",
            destinationPath: model.values["destinationmodelpath"] ?? "",
            entities: entities.map(entity)
        )
        if let source = embedded("sourcemodeldata", model) { result.setSource(source) }
        if let destination = embedded("destinationmodeldata", model) { result.setDestination(destination) }
        return result
    }

    /// The editor keeps the objects of mappings that were removed; only those that the mapping model lists are part of it.
    private func entityMappings(of model: Object) -> [Object] {
        guard let listed = model.references["entitymappings"] else {
            return objects.values.filter { $0.kind == "XDDEVENTITYMAPPING" }
        }
        return listed.split(separator: " ").compactMap { objects[String($0)] }.filter {
            $0.kind == "XDDEVENTITYMAPPING"
        }
    }

    private static func number(_ entity: Object) -> Int { Int(entity.values["mappingnumber"] ?? "") ?? 0 }
    private static func place(_ id: String) -> Int { Int(id.dropFirst()) ?? 0 }

    private func embedded(_ name: String, _ model: Object) -> Model? {
        model.values[name].flatMap(Self.data).flatMap(EditorModelReader.read)
    }

    private static func data(_ base64: String) -> Data? {
        let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters)
        return data?.isEmpty == false ? data : nil
    }

    private func entity(_ object: Object) -> MappingFile.EntityMapping {
        let source = Self.named(object, "sourcename")
        let destination = Self.named(object, "destinationname")
        // By default, a mapping is named after both entities.
        let usual = source.flatMap { source in destination.map { "\(source)To\($0)" } } ?? destination ?? source ?? ""
        return MappingFile.EntityMapping(
            name: Self.named(object, "name") ?? usual,
            sourceName: source,
            destinationName: destination,
            policyClassName: Self.named(object, "migrationpolicyclassname"),
            sourcePredicate: Self.named(object, "sourcefilterpredicatestring"),
            userInfo: userInfo(object),
            attributes: properties(object, "attributemappings"),
            relationships: properties(object, "relationshipmappings")
        )
    }

    private func userInfo(_ object: Object) -> [String: String] {
        guard let data = object.values["userinfodata"].flatMap(Self.data), let archive = KeyedArchive(data) else {
            return [:]
        }
        let pairs = archive.pairs(archive.root).compactMap { pair in archive.text(pair.value).map { (pair.key, $0) } }
        return Dictionary(pairs) { first, _ in first }
    }

    private func properties(_ object: Object, _ name: String) -> [MappingFile.PropertyMapping] {
        (object.references[name] ?? "").split(separator: " ").lazy.compactMap { objects[String($0)] }.compactMap {
            property in
            guard let name = Self.named(property, "name") else { return nil }
            return MappingFile.PropertyMapping(
                name: name,
                expression: property.values["valueexpressiondata"].flatMap(Self.data),
                mappingName: Self.named(property, "sourcemappingname"),
                sourceKeyPath: Self.named(property, "sourcekeypath")
            )
        }
        .sorted { $0.name < $1.name }
    }

    private static func named(_ object: Object, _ key: String) -> String? {
        guard let trimmed = object.values[key]?.trimmingCharacters(in: .whitespacesAndNewlines), !trimmed.isEmpty else {
            return nil
        }
        return trimmed
    }
}
