// Writes models as keyed archives like Apple's frameworks do, for stores and as compiled models. Called by ModelFile;
// read back by CompiledModelReader. Like Apple, it leaves out settings used only by generated code.
import Foundation
import GraphArchives
import GraphModel

/// Writes the archive of one model.
struct CompiledModelWriter {
    /// The program to imitate; the two repeat different things.
    enum Form {
        /// A store: entities in a dictionary with fixed keys, each with its inherited properties.
        case cache
        /// The compiler: plain dictionaries, each property once.
        case file
    }

    let model: Model
    let form: Form
    var archive = KeyedArchiveWriter()
    let root: ListValue
    /// The references of all entities, and of all properties by `entity.property`.
    var entities: [String: ListValue] = [:]
    var properties: [String: ListValue] = [:]
    let byName: [String: Entity]

    /// The archive of a model.
    ///
    /// - Throws: `ModelFileError` for a predicate or expression that cannot be read.
    static func write(_ model: Model, form: Form) throws -> Data {
        var writer = CompiledModelWriter(model, form)
        return try writer.run()
    }

    private init(_ model: Model, _ form: Form) {
        self.model = model
        self.form = form
        byName = model.entitiesByName()
        root = archive.reserve()
    }

    private mutating func run() throws -> Data {
        // Reserve all numbers before filling in any object: objects refer to each other.
        for entity in model.entities where entities[entity.name] == nil {
            entities[entity.name] = archive.reserve()
            for property in listed(entity) { properties["\(entity.name).\(property.name)"] = archive.reserve() }
        }
        for entity in model.entities { try fill(entity) }
        var entries: [String: ListValue] = [
            "NSEntities": entityDictionary(), "NSFetchRequestTemplates": try templates(),
            "NSVersionIdentifiers": archive.collection(
                model.versionIdentifiers.map { archive.text($0) },
                .set
            ),
        ]
        if !model.configurations.isEmpty {
            let pairs = model.configurations.map { configuration in
                let members = configuration.entityNames.compactMap { entities[$0] }
                return (key: archive.text(configuration.name), value: archive.collection(members, .set))
            }
            entries["NSConfigurations"] = archive.dictionary(pairs, isMutable: true)
        }
        archive.fill(root, classes: ["NSManagedObjectModel", "NSObject"], entries: entries)
        return archive.data(top: ["root": root])
    }

    /// The properties in an entity's dictionary.
    private func listed(_ entity: Entity) -> [Property] {
        form == .cache ? model.allProperties(ofEntityNamed: entity.name) : entity.properties
    }

    private mutating func entityDictionary() -> ListValue {
        let names = model.entities.map(\.name)
        let values = names.compactMap { entities[$0] }
        let keys = names.map { archive.text($0) }
        guard form == .cache else {
            return archive.dictionary(Array(zip(keys, values)).map { (key: $0, value: $1) }, isMutable: true)
        }
        let mapping = archive.object(
            ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
            ["keys": archive.collection(keys), "length": .integer(Int64(keys.count)), "version": .integer(1)]
        )
        return archive.object(
            [
                "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject",
            ],
            [
                "searchMapping": mapping, "values": archive.collection(values), "version": .integer(1),
                "emptyToken": archive.text("__empty_slot_token_4c24_98dc_ac1e_b773__"),
            ]
        )
    }

    private mutating func templates() throws -> ListValue {
        guard !model.fetchRequestTemplates.isEmpty else { return KeyedArchiveWriter.null }
        let pairs = try model.fetchRequestTemplates.map { template in
            (key: archive.text(template.name), value: try request(template))
        }
        return archive.dictionary(pairs, isMutable: true)
    }

    // MARK: Entities

    private mutating func fill(_ entity: Entity) throws {
        guard let reference = entities[entity.name] else { return }
        let children = model.entities.filter { $0.superentityName == entity.name }
        var entries: [String: ListValue] = [
            "NSEntityName": archive.text(entity.name),
            "NSClassNameForEntity": archive.text(entity.className ?? "NSManagedObject"),
            "NSRenamingIdentifier": archive.text(entity.renamingIdentifier ?? entity.name),
            "NSVersionHashModifier": archive.text(entity.versionHashModifier),
            "NSManagedObjectModel": root,
            "NSSuperentity": entity.superentityName.flatMap { entities[$0] } ?? KeyedArchiveWriter.null,
            "NSSubentities": archive.dictionary(
                children.map { (key: archive.text($0.name), value: entities[$0.name] ?? KeyedArchiveWriter.null) },
                isMutable: true
            ),
            "NSUserInfo": textDictionary(entity.userInfo),
        ]
        if let format = entity.spotlightNameFormat {
            entries[CompiledModelKeys.spotlightName] = archive.text(format)
        }
        if entity.isAbstract { entries["NSIsAbstract"] = .boolean(true) }
        var pairs: [(key: ListValue, value: ListValue)] = []
        for property in listed(entity) {
            guard let place = properties["\(entity.name).\(property.name)"] else { continue }
            try fill(property, of: entity, at: place)
            pairs.append((key: archive.text(property.name), value: place))
        }
        entries["NSProperties"] = archive.dictionary(pairs, isMutable: true)
        if !entity.uniquenessConstraints.isEmpty {
            entries["NSUniqueTuples"] = nameLists(entity.uniquenessConstraints)
        }
        if !entity.indexes.isEmpty || !entity.compoundIndexes.isEmpty {
            // Frameworks without fetch indexes read the indexes of several properties from here.
            let lists = entity.indexes.map { $0.elements.compactMap(\.propertyName) }.filter { $0.count > 1 }
            entries["NSCompoundIndexes"] = nameLists(entity.compoundIndexes + lists)
        }
        if !entity.indexes.isEmpty {
            let indexes = try entity.indexes.map { try index($0, of: reference) }
            entries["NSFetchIndexDescriptions"] = archive.collection(indexes, .mutableArray)
        }
        archive.fill(reference, classes: ["NSEntityDescription", "NSObject"], entries: entries)
    }

    private mutating func index(_ index: FetchIndex, of entity: ListValue) throws -> ListValue {
        let reference = archive.reserve()
        var elements: [ListValue] = []
        for element in index.elements {
            var entries: [String: ListValue] = [
                "NSPropertyName": archive.text(element.propertyName), "NSAscending": .boolean(element.isAscending),
                "NSFetchIndexElementType": .integer(element.isRTree ? 1 : 0), "NSFetchIndexDescription": reference,
            ]
            if let format = element.expressionFormat {
                entries[CompiledModelKeys.indexedExpression] = try expression(format)
            }
            elements.append(archive.object(["NSFetchIndexElementDescription", "NSObject"], entries))
        }
        archive.fill(
            reference,
            classes: ["NSFetchIndexDescription", "NSObject"],
            entries: [
                "NSIndexName": archive.text(index.name), "NSEntity": entity,
                "NSIndexElements": archive.collection(elements),
                "NSPartialIndexPredicate": try predicate(index.partialPredicateFormat),
            ]
        )
        return reference
    }

    private mutating func nameLists(_ lists: [[String]]) -> ListValue {
        let members = lists.map { names in archive.collection(names.map { archive.text($0) }, .mutableArray) }
        return archive.collection(members, .mutableArray)
    }

    // MARK: Parts of several kinds of objects

    mutating func textDictionary(_ texts: [String: String]) -> ListValue {
        let pairs = texts.sorted { $0.key < $1.key }
        return archive.dictionary(pairs.map { (key: archive.text($0.key), value: archive.text($0.value)) })
    }

    mutating func predicate(_ format: String?) throws -> ListValue {
        guard let format else { return KeyedArchiveWriter.null }
        let coded = try CodedFormat.predicate(format)
        return archive.graft(coded.root, of: coded.archive)
    }

    mutating func expression(_ format: String) throws -> ListValue {
        let coded = try CodedFormat.expression(format)
        return archive.graft(coded.root, of: coded.archive)
    }
}
