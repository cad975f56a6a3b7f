// A mapping model named on a command line: read, with its expressions as texts, checked against the models inside it,
// and compiled. Used by the commands on models; it changes nothing.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import GraphPredicates
import ManagedGraph

/// A mapping model and its contents.
package struct NamedMappingModel {
    /// One entity mapping.
    package struct Entity: Sendable {
        package var name: String
        /// "add", "remove", "copy", "transform" or "custom".
        package var kind: String
        package var source: String?
        package var destination: String?
        package var sourceHash: Data?
        package var destinationHash: Data?
        package var policy: String?
        /// The filter on the source's objects; nil for none.
        package var filter: String?
        package var userInfo: [String: String]
        package var attributes: [Property]
        package var relationships: [Property]
    }

    /// The value expression of a property.
    package struct Property: Sendable {
        package var name: String
        /// The printed expression; nil for none.
        package var expression: String?
    }

    /// The file's name without its extension.
    package let name: String
    /// Whether the mapping model is compiled, and so has only the hashes of its models.
    package let isCompiled: Bool
    /// The mapping as stored in its file.
    package let file: MappingFile
    /// The source and destination models, if Xcode saved them inside the file.
    private let models: [Model]
    private let mapping: NSMappingModel

    /// Whether a path names a mapping model.
    package static func isMapping(_ path: String) -> Bool {
        let url = URL(fileURLWithPath: path)
        return NSMappingModel.kinds.contains(url.pathExtension) || url.lastPathComponent == "xcmapping.xml"
    }

    /// Reads a mapping model.
    ///
    /// - Parameter path: An `.xcmappingmodel`, the `xcmapping.xml` in it, or a `.cdm`.
    /// - Throws: `ModelFileError`.
    package init(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        let folder = url.lastPathComponent == "xcmapping.xml" ? url.deletingLastPathComponent() : url
        name = folder.deletingPathExtension().lastPathComponent
        var file = try MappingReader.read(at: url)
        models = try MappingReader.models(at: url)
        isCompiled = file.entities.contains { $0.type != nil }
        if !isCompiled, models.count < 2 { try file.resolve { try Self.model(beside: folder, $0, $1) } }
        self.file = file
        mapping = NSMappingModel(file)
    }

    /// A version of a model in the folder of a mapping model, or in the one around that.
    private static func model(beside mapping: URL, _ name: String?, _ version: String) throws -> Model? {
        let path = (name.map { "\($0).xcdatamodeld/" } ?? "") + "\(version).xcdatamodel"
        let folder = mapping.deletingLastPathComponent()
        for place in [folder, folder.deletingLastPathComponent()] {
            let url = place.appendingPathComponent(path)
            if try FilePlacement.isThere(url.path) { return try ModelFile.readModel(at: url) }
        }
        return nil
    }

    /// The parts that the compiled form lacks; empty if it is complete.
    package var losses: [String] {
        guard !isCompiled, file.sourceHashes.isEmpty || file.destinationHashes.isEmpty else { return [] }
        return [
            "no models are saved in it, nor are \(file.sourcePath) and \(file.destinationPath) beside it: the compiled "
                + "file has no hashes of entities and is used for no store. Save it in Xcode, or compile it beside its "
                + "models."
        ]
    }

    /// The entity mappings in the order of their execution.
    package var entities: [Entity] {
        zip(file.entities, mapping.entityMappings ?? []).map { stored, entity in
            Entity(
                name: stored.name,
                kind: Self.kind(entity.mappingType),
                source: stored.sourceName,
                destination: stored.destinationName,
                sourceHash: entity.sourceEntityVersionHash,
                destinationHash: entity.destinationEntityVersionHash,
                policy: stored.policyClassName,
                filter: stored.sourceFilter,
                userInfo: stored.userInfo,
                attributes: (entity.attributeMappings ?? []).map(Self.property),
                relationships: (entity.relationshipMappings ?? []).map(Self.property)
            )
        }
    }

    private static func property(_ mapping: NSPropertyMapping) -> Property {
        Property(name: mapping.name ?? "", expression: mapping.valueExpression?.description)
    }

    private static func kind(_ type: NSEntityMappingType) -> String {
        switch type {
        case .addEntityMappingType: "add"
        case .removeEntityMappingType: "remove"
        case .copyEntityMappingType: "copy"
        case .transformEntityMappingType: "transform"
        case .customEntityMappingType: "custom"
        default: "undefined"
        }
    }

    // MARK: Compiling

    /// The mapping as Xcode's compiler writes it.
    ///
    /// - Returns: A keyed archive of `NSMappingModel`, as stored in a `.cdm`.
    /// - Throws: If an expression cannot be archived.
    package func compiled() throws -> Data {
        var result = file
        for (index, entity) in (mapping.entityMappings ?? []).enumerated() where result.entities.indices.contains(index)
        {
            result.entities[index].type = Int(entity.mappingType.rawValue)
            result.entities[index].sourceExpression = try entity.sourceExpression.map(Self.archive)
            try Self.setExpressions(of: &result.entities[index].attributes, entity.attributeMappings)
            try Self.setExpressions(of: &result.entities[index].relationships, entity.relationshipMappings)
        }
        return CompiledMappingWriter.write(result)
    }

    /// Writes the compiled form.
    ///
    /// - Parameters:
    ///   - url: A `.cdm`.
    ///   - isReplacing: Whether an existing file may be replaced.
    /// - Throws: `ModelFileError`; nothing is changed in that case.
    package func write(to url: URL, isReplacing: Bool) throws {
        guard url.pathExtension == "cdm" else {
            throw ModelFileError(
                file: url.path,
                reason: "a mapping model is written as a .cdm only. Let the name end with that, or edit it in Xcode."
            )
        }
        guard try isReplacing || !FilePlacement.isThere(url.path) else {
            throw ModelFileError(
                file: url.path,
                reason: "the file is there already. Choose another name, or --force to replace it."
            )
        }
        try FileReplacement.write(try compiled(), to: url.path)
    }

    private static func setExpressions(
        of properties: inout [MappingFile.PropertyMapping],
        _ mappings: [NSPropertyMapping]?
    ) throws {
        for (index, mapping) in (mappings ?? []).enumerated() where properties.indices.contains(index) {
            properties[index].expression = try mapping.valueExpression.map(archive)
        }
    }

    private static func archive(_ expression: GraphPredicates.NSExpression) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
    }

    // MARK: Findings

    /// The problems of the mapping, none of which prevents reading it.
    package var findings: [ModelProblem] {
        var findings: [ModelProblem] = []
        func warn(_ reason: String) { findings.append(ModelProblem(.invalidValue, reason: reason)) }
        if file.entities.isEmpty { warn("it maps no entities and is used for no store. Add an entity mapping.") }
        if !isCompiled, models.count < 2 {
            warn(
                "no models are saved in it, so it is used only if its paths lead to versions of the model. "
                    + "Save it in Xcode."
            )
        }
        var names: Set<String> = []
        for (stored, entityMapping) in zip(file.entities, mapping.entityMappings ?? []) {
            if !names.insert(stored.name).inserted {
                findings.append(
                    ModelProblem(
                        .duplicateName,
                        entity: stored.name,
                        reason: "another entity mapping has this name. Rename one of them."
                    )
                )
            }
            findings += self.findings(stored, entityMapping)
        }
        return findings
    }

    private func findings(_ stored: MappingFile.EntityMapping, _ made: NSEntityMapping) -> [ModelProblem] {
        var findings: [ModelProblem] = []
        func warn(_ property: String? = nil, reason: String) {
            findings.append(ModelProblem(.invalidValue, entity: stored.name, property: property, reason: reason))
        }
        let (source, destination) = models.count == 2 ? (models.first, models.last) : (nil, nil)
        if let source, let name = stored.sourceName, source.entity(named: name) == nil {
            warn(reason: "its source, the entity \(name), is not in the source model. Choose another entity.")
        }
        if let destination, let name = stored.destinationName, destination.entity(named: name) == nil {
            warn(reason: "its destination, the entity \(name), is not in the destination model. Choose another entity.")
        }
        let destinationNames = Set(
            stored.destinationName.flatMap { destination?.allProperties(ofEntityNamed: $0).map(\.name) } ?? []
        )
        let properties = stored.attributes + stored.relationships
        for (property, propertyMapping) in zip(
            properties,
            (made.attributeMappings ?? []) + (made.relationshipMappings ?? [])
        ) {
            if !destinationNames.isEmpty, !destinationNames.contains(property.name) {
                warn(
                    property.name,
                    reason: "the destination entity has no property of this name. Take the mapping away."
                )
            }
            if property.expression != nil, propertyMapping.valueExpression == nil {
                warn(
                    property.name,
                    reason: "its value expression cannot be read, so that nothing is set. Write the expression again."
                )
            }
            if let mappingName = property.mappingName, !file.entities.contains(where: { $0.name == mappingName }) {
                warn(
                    property.name,
                    reason: "it leads to the entity mapping \(mappingName), which does not exist. Choose another one."
                )
            }
        }
        return findings
    }
}

extension ModelChecker {
    /// Checks a mapping model.
    static func check(mapping path: String) -> ModelReport {
        var report = ModelReport(file: path, isMapping: true)
        do {
            let mapping = try NamedMappingModel(path)
            report.entities = mapping.file.entities.count
            report.add(mapping.findings)
        } catch {
            report.add(error)
        }
        return report
    }
}
