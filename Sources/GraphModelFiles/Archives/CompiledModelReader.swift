// Reads models as Xcode's compiler and stores keep them: keyed archives of NSManagedObjectModel. Called by ModelFile.
// It reads objects by their entries and never instantiates a class that the archive names. A reference to an entity
// becomes the entity's name, which breaks cycles.
import Foundation
import GraphArchives
import GraphModel

/// Reads the archive of a model.
struct CompiledModelReader {
    let archive: KeyedArchive
    /// The name for errors.
    let file: String
    let findings = FindingList()
    let compositeBudget = CompositeBudget()

    /// The model, and findings for the parts that were left out or replaced.
    ///
    /// - Throws: `ModelFileError` for data that are not an archive of a model, or a damaged one.
    static func read(_ archive: KeyedArchive?, file: String) throws(ModelFileError) -> ModelReading {
        guard let archive, let root = archive.root, root.className == "NSManagedObjectModel" else {
            throw ModelFileError(
                file: file,
                reason:
                    "this is not a compiled model. Choose a .mom that Xcode's compiler wrote, or build the model again."
            )
        }
        let reader = CompiledModelReader(archive: archive, file: file)
        let model = try reader.model(root)
        let problems = model.problems()
        if let twin = problems.first(where: { $0.kind == .duplicateEntity || $0.kind == .duplicateProperty }) {
            // Which of the two Apple's framework would use is not known.
            throw ModelFileError(
                file: file,
                entity: twin.entity,
                property: twin.property,
                reason: "\(twin.reason) Then build the model again."
            )
        }
        let findings = reader.findings.all + problems
        return ModelReading(model: model.usablePart(findings), findings: findings)
    }

    func damaged(_ reason: String, entity: String? = nil, property: String? = nil) -> ModelFileError {
        ModelFileError(
            file: file,
            entity: entity,
            property: property,
            reason: "the compiled model is damaged: \(reason). Build the model again."
        )
    }

    private func model(_ root: KeyedArchive.Object) throws(ModelFileError) -> Model {
        var entities: [Entity] = []
        for member in members(of: "NSEntities", in: root) {
            guard let object = archive.object(member) else { throw damaged("an entity is missing") }
            entities.append(try entity(object))
        }
        var model = Model(entities: entities.sorted { $0.name < $1.name })
        removeInherited(in: &model)
        for (name, value) in archive.pairs(archive.object("NSConfigurations", of: root)).sorted(by: { $0.key < $1.key })
        {
            let names = archive.members(archive.object(value)).compactMap(entityName)
            model.configurations.append(Configuration(name: name, entityNames: names.sorted()))
        }
        let templates = archive.pairs(archive.object("NSFetchRequestTemplates", of: root))
        for (name, value) in templates.sorted(by: { $0.key < $1.key }) {
            guard let object = archive.object(value) else { throw damaged("the fetch request \(name) is missing") }
            if let template = request(object, name: name) { model.fetchRequestTemplates.append(template) }
        }
        model.versionIdentifiers = archive.members(archive.object("NSVersionIdentifiers", of: root))
            .compactMap { archive.text($0) }.sorted()
        return model
    }

    /// Removes inherited properties, which an archive repeats in every subentity.
    private func removeInherited(in model: inout Model) {
        let names = Dictionary(
            model.entities.map { ($0.name, Set($0.properties.map(\.name))) },
            uniquingKeysWith: { first, _ in first }
        )
        for index in model.entities.indices {
            guard let parent = model.entities[index].superentityName, let inherited = names[parent] else { continue }
            model.entities[index].properties.removeAll { inherited.contains($0.name) }
        }
    }

    // MARK: Entities

    private func entity(_ object: KeyedArchive.Object) throws(ModelFileError) -> Entity {
        guard let name = archive.text("NSEntityName", of: object), !name.isEmpty else {
            throw damaged("an entity has no name")
        }
        var entity = Entity(name: name)
        let className = archive.text("NSClassNameForEntity", of: object)
        entity.className = className == "NSManagedObject" || className?.isEmpty == true ? nil : className
        entity.superentityName = entityName(object.entries["NSSuperentity"])
        entity.isAbstract = archive.flag("NSIsAbstract", of: object)
        entity.renamingIdentifier = renamingIdentifier(object, name: name)
        entity.versionHashModifier = archive.text("NSVersionHashModifier", of: object)
        entity.userInfo = userInfo(object)
        entity.spotlightNameFormat = archive.text(CompiledModelKeys.spotlightName, of: object)
        for member in members(of: "NSProperties", in: object) {
            guard let propertyArchive = propertyObject(member) else {
                throw damaged("a property is missing", entity: name)
            }
            entity.properties.append(try property(propertyArchive, entity: name))
        }
        entity.properties.sort { $0.name < $1.name }
        entity.uniquenessConstraints = nameLists("NSUniqueTuples", of: object)
        entity.compoundIndexes = nameLists("NSCompoundIndexes", of: object)
        for member in members(of: "NSFetchIndexDescriptions", in: object) {
            guard let indexArchive = archive.object(member) else { throw damaged("an index is missing", entity: name) }
            if let index = try index(indexArchive, entity: name) { entity.indexes.append(index) }
        }
        removeMarks(in: &entity)
        return entity
    }

    /// Removes the index marks that an archive repeats for frameworks without fetch indexes.
    private func removeMarks(in entity: inout Entity) {
        let lists = entity.indexes.map { $0.elements.compactMap(\.propertyName) }
        entity.compoundIndexes.removeAll(where: lists.contains)
        for index in entity.properties.indices where entity.marksAsIndexed(entity.properties[index]) {
            entity.properties[index].common.isIndexed = false
        }
    }

    /// An index, or nil if its partial index predicate is unreadable.
    private func index(_ object: KeyedArchive.Object, entity: String) throws(ModelFileError) -> FetchIndex? {
        var index = FetchIndex(name: archive.text("NSIndexName", of: object) ?? "", elements: [])
        switch predicate("NSPartialIndexPredicate", of: object) {
        case .none: break
        case .text(let format): index.partialPredicateFormat = format
        case .unreadable:
            findings.add(
                .unreadableFormat,
                "the predicate of the fetch index \(index.name) cannot be read, so that it is not made",
                entity
            )
            return nil
        }
        for member in members(of: "NSIndexElements", in: object) {
            guard let element = archive.object(member) else {
                throw damaged("the index \(index.name) is incomplete", entity: entity)
            }
            var result = FetchIndexElement(
                propertyName: archive.text("NSPropertyName", of: element),
                isRTree: archive.integer("NSFetchIndexElementType", of: element) == 1,
                isAscending: archive.flag("NSAscending", of: element)
            )
            if let computed = archive.object(CompiledModelKeys.indexedExpression, of: element) {
                result.expressionFormat = try expression(computed)
            }
            index.elements.append(result)
        }
        return index
    }

    /// Lists of property names; a list may hold the properties instead.
    private func nameLists(_ key: String, of object: KeyedArchive.Object) -> [[String]] {
        members(of: key, in: object).map { list in
            archive.members(archive.object(list)).compactMap { member in
                archive.text(member) ?? propertyObject(member).flatMap { archive.text("NSPropertyName", of: $0) }
            }
        }
        .filter { !$0.isEmpty }
    }

    // MARK: Parts of several kinds of objects

    /// The members of a collection, or the values of a dictionary, including one with fixed keys.
    func members(of key: String, in object: KeyedArchive.Object) -> [ListValue] {
        let collection = archive.object(key, of: object)
        guard let values = collection.flatMap({ archive.object("values", of: $0) }) else {
            return archive.members(collection)
        }
        // A key without a value holds a token.
        return archive.members(values).filter { archive.object($0) != nil }
    }

    /// The object of a property; resolves a proxy, which a subentity's archive may hold for an inherited property.
    func propertyObject(_ value: ListValue?) -> KeyedArchive.Object? {
        var object = archive.object(value)
        // The limit ends a cycle of proxies.
        for _ in 0..<16 {
            guard let proxy = object, proxy.className == CompiledModelKeys.propertyProxy else { return object }
            object = archive.object(CompiledModelKeys.underlyingProperty, of: proxy)
        }
        return nil
    }

    func entityName(_ value: ListValue?) -> String? {
        archive.object(value).flatMap { archive.text("NSEntityName", of: $0) }
    }

    /// The renaming identifier, or nil if it equals the name, which the archive stores by default.
    func renamingIdentifier(_ object: KeyedArchive.Object, name: String) -> String? {
        let identifier = archive.text("NSRenamingIdentifier", of: object)
        return identifier == name || identifier?.isEmpty == true ? nil : identifier
    }

    func userInfo(_ object: KeyedArchive.Object) -> [String: String] {
        var result: [String: String] = [:]
        for (key, value) in archive.pairs(archive.object("NSUserInfo", of: object)) {
            switch archive.resolve(value) {
            case .integer(let number)?: result[key] = String(number)
            case .unsigned(let number)?: result[key] = String(number)
            case .real(let number)?: result[key] = String(number)
            case .boolean(let flag)?: result[key] = flag ? "true" : "false"
            default: result[key] = archive.text(value)
            }
        }
        return result
    }

    /// A predicate in the archive.
    enum StoredFormat {
        case none
        case text(String)
        case unreadable
    }

    func predicate(_ key: String, of object: KeyedArchive.Object) -> StoredFormat {
        guard let reference = object.entries[key], archive.resolve(reference) != nil else { return .none }
        return PredicateDecoder.predicateFormat(reference, of: archive).map { .text($0) } ?? .unreadable
    }

    func expression(_ object: KeyedArchive.Object) throws(ModelFileError) -> String {
        guard let format = PredicateDecoder.expressionFormat(.reference(object.number), of: archive) else {
            throw damaged("an expression cannot be read")
        }
        return format
    }
}
