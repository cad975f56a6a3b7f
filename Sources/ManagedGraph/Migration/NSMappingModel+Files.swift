// Mapping models that Xcode's editor has made: among those the build plugin registered, and in files. Found by the
// version hashes of both models.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles

extension NSMappingModel {
    /// Finds the mapping model between two models, by their entities' version hashes.
    ///
    /// - Parameters:
    ///   - bundles: The bundles to look in, or nil for the main bundle. The mapping models that the
    ///     GenerateManagedObjects plugin has put into the program belong to the main bundle, and to `Bundle.module` of
    ///     their module.
    ///   - sourceModel: The older version.
    ///   - destinationModel: The newer version.
    public convenience init?(
        from bundles: [Bundle]?,
        forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        let bundles = bundles ?? [Bundle.main]
        var files = bundles.contains(Bundle.main) ? Self.programFiles() : []
        for bundle in bundles {
            files += Self.files(ManagedObjectRegistry.module(of: bundle)?.mappings ?? [])
            let urls = Self.kinds.flatMap { bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? [] }
            files += urls.compactMap { try? MappingReader.read(at: $0 as URL) }
        }
        let (old, new) = (sourceModel.schema.versionHashes(), destinationModel.schema.versionHashes())
        guard let file = files.first(where: { $0.fits(old, new) }) else { return nil }
        self.init(file)
    }

    /// Reads a mapping model from a file.
    ///
    /// - Parameter url: An `.xcmappingmodel` as Xcode keeps it, or a `.cdm` as it compiles it; nil if it cannot be
    /// read.
    public convenience init?(contentsOf url: URL?) {
        guard let url, let file = try? MappingReader.read(at: url) else { return nil }
        self.init(file)
    }

    /// The mapping model between two models: of the program, or in the folder where the new model's file is.
    ///
    /// Throws if a file cannot be read: without it, the migration would be inferred.
    static func find(from source: Model, to destination: Model, origin: URL?) throws -> NSMappingModel? {
        let (old, new) = (source.versionHashes(), destination.versionHashes())
        var files = registeredFiles()
        files += try ModelFinder.files(kinds).compactMap { try sound($0, MappingReader.read(at:)) }
        if let folder = origin?.deletingLastPathComponent(), try FilePlacement.isThere(folder.path) {
            for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            where kinds.contains(url.pathExtension) {
                guard var file = try sound(url, MappingReader.read(at:)) else { continue }
                try file.resolve { model, version in
                    let path = (model.map { "\($0).xcdatamodeld/" } ?? "") + "\(version).xcdatamodel"
                    return try sound(folder.appending(path: path)) { try ModelFile.readModel(at: $0) }
                }
                files.append(file)
            }
        }
        return files.first { $0.fits(old, new) }.map { NSMappingModel($0) }
    }

    /// The content of a file of a model or a mapping model; nil if it is damaged or not there.
    private static func sound<Content>(_ url: URL, _ read: (URL) throws -> Content) throws -> Content? {
        do {
            return try read(url)
        } catch let error as ModelFileError where [.fileReadCorruptFile, .fileReadNoSuchFile].contains(error.code) {
            return nil
        }
    }

    /// Kinds of mapping files.
    package static let kinds = ModelFinder.kindsOfMappings

    /// All mapping models of the program: registered ones first, then files beside it.
    private static func programFiles() -> [MappingFile] {
        registeredFiles() + ModelFinder.files(kinds).compactMap { try? MappingReader.read(at: $0) }
    }

    private static func registeredFiles() -> [MappingFile] { files(ManagedObjectRegistry.mappings()) }

    private static func files(_ mappings: [ModuleRegistration.Mapping]) -> [MappingFile] {
        mappings.compactMap { try? MappingFile(json: $0.contents()) }
    }

    /// Makes a mapping model from the content of a file.
    package convenience init(_ file: MappingFile) {
        self.init()
        entityMappings = file.entities.map { NSEntityMapping($0, in: file) }
    }
}

extension MappingFile {
    /// Whether the entities that it maps have these hashes.
    package func fits(_ source: [String: Data], _ destination: [String: Data]) -> Bool {
        !entities.isEmpty
            && entities.allSatisfy { mapping in
                (mapping.sourceName.map { source[$0] != nil && source[$0] == sourceHashes[$0] } ?? true)
                    && (mapping.destinationName.map {
                        destination[$0] != nil && destination[$0] == destinationHashes[$0]
                    }
                        ?? true)
            }
    }
}

extension NSEntityMapping {
    /// An entity mapping as Xcode compiles it: expressions that the editor leaves out are made of the names.
    fileprivate convenience init(_ mapping: MappingFile.EntityMapping, in file: MappingFile) {
        self.init()
        name = mapping.name
        sourceEntityName = mapping.sourceName
        destinationEntityName = mapping.destinationName
        sourceEntityVersionHash = mapping.sourceName.flatMap { file.sourceHashes[$0] }
        destinationEntityVersionHash = mapping.destinationName.flatMap { file.destinationHashes[$0] }
        entityMigrationPolicyClassName = mapping.policyClassName
        userInfo = mapping.userInfo.isEmpty ? nil : mapping.userInfo
        mappingType =
            mapping.type.flatMap { UInt(exactly: $0) }.flatMap(NSEntityMappingType.init)
            ?? Self.type(of: mapping, sourceEntityVersionHash, destinationEntityVersionHash)
        if let expression = mapping.sourceExpression {
            sourceExpression = NSPropertyMapping.decoded(expression)
        } else if let source = mapping.sourceName, mapping.type == nil {
            sourceExpression = Self.sourceExpression(source, mapping.sourcePredicate ?? "TRUEPREDICATE")
        }
        let sourceProperties = mapping.sourceName.flatMap { file.sourceProperties[$0] } ?? []
        attributeMappings = mapping.attributes.map { NSPropertyMapping(attribute: $0, sourceProperties) }
        relationshipMappings = mapping.relationships.map { NSPropertyMapping(relationship: $0, sourceProperties) }
    }

    private static func type(of mapping: MappingFile.EntityMapping, _ old: Data?, _ new: Data?) -> NSEntityMappingType {
        if mapping.policyClassName != nil { return .customEntityMappingType }
        guard mapping.sourceName != nil else { return .addEntityMappingType }
        guard mapping.destinationName != nil else { return .removeEntityMappingType }
        return old == new && mapping.sourceName == mapping.destinationName
            ? .copyEntityMappingType : .transformEntityMappingType
    }

    /// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", …), $manager.sourceContext, NO)`.
    private static func sourceExpression(_ entity: String, _ predicate: String) -> NSExpression {
        let manager = NSExpression(forVariable: MigrationVariable.manager)
        return NSFetchRequestExpression.expression(
            forFetch: NSExpression(
                forFunction: manager,
                selectorName: "fetchRequestForSourceEntityNamed:predicateString:",
                arguments: [NSExpression(forConstantValue: entity), NSExpression(forConstantValue: predicate)]
            ),
            context: NSExpression(format: "$manager.sourceContext"),
            countOnly: false
        )
    }
}

extension MappingFile.EntityMapping {
    /// The filter on the source's objects, which a compiled file has in its source expression; nil for none.
    package var sourceFilter: String? {
        if let sourcePredicate { return sourcePredicate }
        guard let fetch = sourceExpression.flatMap(NSPropertyMapping.decoded) as? NSFetchRequestExpression,
            fetch.requestExpression.expressionType == .function,
            let filter = fetch.requestExpression.arguments?.last, filter.expressionType == .constantValue,
            let format = filter.constantValue as? String, format != "TRUEPREDICATE"
        else { return nil }
        return format
    }
}

extension NSPropertyMapping {
    fileprivate convenience init(attribute: MappingFile.PropertyMapping, _ sourceProperties: Set<String>) {
        self.init()
        name = attribute.name
        valueExpression =
            attribute.expression.flatMap(Self.decoded)
            ?? (sourceProperties.contains(attribute.name) ? Self.source(attribute.name) : nil)
    }

    fileprivate convenience init(relationship: MappingFile.PropertyMapping, _ sourceProperties: Set<String>) {
        self.init()
        name = relationship.name
        if let data = relationship.expression {
            valueExpression = Self.decoded(data)
        } else if let mapping = relationship.mappingName {
            let path = relationship.sourceKeyPath ?? "$source.\(relationship.name)"
            valueExpression = Self.call("destinationInstancesForEntityMappingNamed:sourceInstances:", mapping, path)
        } else if sourceProperties.contains(relationship.name) {
            valueExpression = Self.call(
                "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                relationship.name,
                "$source.\(relationship.name)"
            )
        }
    }

    private static func call(_ selector: String, _ name: String, _ path: String) -> NSExpression? {
        guard let source = try? NSExpression(validating: path) else { return nil }
        return NSExpression(
            forFunction: NSExpression(forVariable: MigrationVariable.manager),
            selectorName: selector,
            arguments: [NSExpression(forConstantValue: name), source]
        )
    }

    /// An expression of an archive; nil if it is damaged.
    package static func decoded(_ data: Data) -> NSExpression? {
        PropertyList.isBinary(data) ? Archive.value(of: data, allowed: nil) as? NSExpression : nil
    }
}
