// The way from one model version to another, entity by entity. Made by inference, from Xcode's files or in code; run by
// NSMigrationManager. It is independent of stores.
import Foundation
import GraphModel
import GraphSQL

/// The mapping of stores of one model to stores of another.
///
/// See [NSMappingModel](https://developer.apple.com/documentation/coredata/nsmappingmodel).
open class NSMappingModel: NSObject {
    /// The entity mappings, in the order in which they are run.
    open var entityMappings: [NSEntityMapping]!
    /// The models' correspondence if the mapping was inferred.
    private final var inferred: ModelMapping?

    /// Makes a mapping model without entity mappings.
    public override init() {
        entityMappings = []
        super.init()
    }

    /// Whether another mapping model has equal entity mappings.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return self === other || (entityMappings ?? []) == (other.entityMappings ?? [])
    }

    /// A hash of the entity mappings' names.
    open override var hash: Int { Set((entityMappings ?? []).map(\.name)).hashValue }

    /// The entity mappings by name.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    /// Infers the mapping model of a lightweight migration.
    ///
    /// Entities and properties correspond by name or renaming identifier. O(n) in their number.
    ///
    /// - Parameters:
    ///   - sourceModel: The older version.
    ///   - destinationModel: The newer version.
    /// - Returns: The mapping model.
    /// - Throws: 134190 if a change needs a mapping model; `entity`, `property` and `reason` in userInfo name the first
    ///   one, and the reason all of them.
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel,
        destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        do {
            let (source, destination) = (sourceModel.schema, destinationModel.schema)
            let mapping = try MappingInference.infer(from: source, to: destination)
            return NSMappingModel(inferred: mapping, source, destination)
        } catch {
            throw CoreDataError.notInferred(error)
        }
    }

    /// The correspondence of two models if the mapping was inferred from them and was not changed since.
    ///
    /// Only then can it be done in SQL, which calls no policies and evaluates no expressions.
    ///
    /// - Parameters:
    ///   - source: The older version.
    ///   - destination: The newer version.
    /// - Returns: The correspondence; nil for any other mapping.
    final func unchangedInference(from source: Model, to destination: Model) -> ModelMapping? {
        guard let inferred, isEqual(NSMappingModel(inferred: inferred, source, destination)) else { return nil }
        return inferred
    }

    private convenience init(inferred mapping: ModelMapping, _ source: Model, _ destination: Model) {
        self.init()
        inferred = mapping
        let (old, new) = (source.versionHashes(), destination.versionHashes())
        let former = source.propertiesByEntity(source.entitiesByName())
        entityMappings = mapping.entities.map { pair in
            let entity = NSEntityMapping()
            entity.sourceEntityName = pair.source
            entity.destinationEntityName = pair.destination
            entity.sourceEntityVersionHash = pair.source.flatMap { old[$0] }
            entity.destinationEntityVersionHash = pair.destination.flatMap { new[$0] }
            let name = pair.destination ?? pair.source ?? ""
            switch pair.kind {
            case .add: (entity.mappingType, entity.name) = (.addEntityMappingType, "IEM_Add_\(name)")
            case .remove: (entity.mappingType, entity.name) = (.removeEntityMappingType, "IEM_Remove_\(name)")
            case .copy: (entity.mappingType, entity.name) = (.copyEntityMappingType, "IEM_Copy_\(name)")
            case .transform: (entity.mappingType, entity.name) = (.transformEntityMappingType, "IEM_Transform_\(name)")
            }
            entity.attributeMappings = pair.attributes.map { attribute in
                let propertyMapping = NSPropertyMapping(copying: attribute)
                let new = destination.attribute(attribute.destination, of: pair.destination ?? "")
                propertyMapping.keepsDefault = new?.common.isOptional == false && new?.defaultValue != nil
                return propertyMapping
            }
            entity.relationshipMappings = pair.relationships.map(NSPropertyMapping.init(following:))
            if let name = pair.source, pair.destination != nil {
                entity.userInfo = Self.changedProperties(pair, of: former[name] ?? [])
            }
            return entity
        }
    }
}

extension NSMappingModel {
    /// The marks of Apple's inferred mappings for an entity in both versions: which properties there are, are new or
    /// are gone.
    fileprivate static func changedProperties(_ pair: EntityPair, of former: [Property]) -> [AnyHashable: Any] {
        // Elements of a composite attribute count as the attribute.
        func name(_ path: String) -> String { String(path.prefix { $0 != "." }) }
        let properties = pair.attributes + pair.relationships
        let mapped = properties.filter { $0.source != nil }
        let destinationNames = Set(mapped.map { name($0.destination) })
        let sourceNames = Set(mapped.compactMap(\.source).map(name))
        let stored = former.compactMap { property -> String? in
            if case .fetched = property { return nil }
            return property.common.isTransient ? nil : property.name
        }
        return [
            "mappedProperties": destinationNames,
            "addedProperties": Set(properties.map { name($0.destination) }).subtracting(destinationNames),
            "removedProperties": Set(stored).subtracting(sourceNames),
        ]
    }
}

extension NSPropertyMapping {
    /// Copies an attribute; a new one is left to its default value.
    fileprivate convenience init(copying pair: PropertyPair) {
        self.init()
        name = pair.destination
        valueExpression = pair.source.map { Self.source($0) }
    }

    /// Reads the destinations of the objects of a relationship.
    fileprivate convenience init(following pair: PropertyPair) {
        self.init()
        name = pair.destination
        valueExpression = pair.source.map { source in
            NSExpression(
                forFunction: NSExpression(forVariable: MigrationVariable.manager),
                selectorName: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                arguments: [NSExpression(forConstantValue: source), Self.source(source)]
            )
        }
    }

    /// `$source.name`.
    static func source(_ path: String) -> NSExpression {
        NSExpression(format: "$\(MigrationVariable.source).\(path)")
    }
}
