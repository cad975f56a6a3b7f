// The error for a value that is too large for an index. PostgreSQL's indexes hold up to a third of a page, SQLite's any
// value. Called by PostgreSQLEngine.mapped.
import GraphEngine
import GraphModel
import GraphSQL

extension PostgreSQLEngine {
    /// The error for a row that is too large for an index; nil for any other failure.
    func indexError(_ error: PostgreSQLError) -> EngineError? {
        guard error.isOfIndexRow else { return nil }
        let places = indexes(of: error)
        let list = places.isEmpty ? "its index" : places.map(\.description).joined(separator: " or ")
        let remedy = places.isEmpty ? "drop the index" : places.map(\.remedy).joined(separator: " or ")
        return EngineError(
            .failed,
            "a value is too large for \(list): \(error.message)",
            reason: error.description,
            remedy: "Shorten the value, or \(remedy). An index of PostgreSQL holds at most about 2,700 bytes for each "
                + "row, after compression. Nothing was written."
        )
    }

    /// An index that can be the one of an error.
    private struct IndexPlace {
        let description: String
        let remedy: String
    }

    /// The index that an error names; all indexes of values of the written table if it names none.
    private func indexes(of error: PostgreSQLError) -> [IndexPlace] {
        guard let schema = (try? requireMap())?.schema else { return [] }
        let entities = configuration.contract.model.entities
        if let name = error.constraint {
            for entity in entities {
                if let place = indexes(of: entity, schema).first(where: { $0.name == name })?.place { return [place] }
            }
            // An index that the model does not have.
            let entity = schema.tables.first { $0.name == error.table }?.rootEntity
            let owner = entity.map { "the entity \($0)" } ?? "the table \(error.table ?? "")"
            return [IndexPlace(description: "the index \(name) of \(owner)", remedy: "drop the index \(name)")]
        }
        guard let statement = error.statement else { return [] }
        return entities.flatMap { entity -> [IndexPlace] in
            guard let table = schema.entities[entity.name]?.tableName,
                statement.contains(written(table, schema.dialect))
            else { return [] }
            return indexes(of: entity, schema).map(\.place)
        }
    }

    /// The indexes of an entity that contain an attribute whose values can be large, by their names in the database.
    private func indexes(of entity: Entity, _ schema: StoreSchema) -> [(name: String, place: IndexPlace)] {
        let naming = schema.dialect.naming
        let large = Set(entity.attributes.filter { $0.type.canBeLarge }.map(\.name))
        func place(_ name: String, _ kind: String) -> (name: String, place: IndexPlace) {
            (
                name,
                IndexPlace(
                    description: "\(kind) of the entity \(entity.name)",
                    remedy: "remove \(kind) of the entity \(entity.name) from the model (the index \(name))"
                )
            )
        }
        let fetchIndexes = entity.indexes.filter { index in
            index.elements.contains { element in element.propertyName.map { large.contains($0) } ?? false }
        }
        var places: [(name: String, place: IndexPlace)] = []
        for index in fetchIndexes {
            places.append(
                place(naming.fetchIndex(entity: entity.name, name: index.name), "the fetch index \(index.name)")
            )
        }
        // An attribute that is the only element of a fetch index has an index of its own name, too.
        for attribute in entity.attributes
        where large.contains(attribute.name)
            && (attribute.common.isIndexed || entity.marksAsIndexed(.attribute(attribute)))
        {
            let name = naming.fetchIndex(entity: entity.name, name: attribute.name)
            places.append(place(name, "the fetch index of \(attribute.name)"))
        }
        for names in entity.uniquenessConstraints where names.contains(where: { large.contains($0) }) {
            let name = naming.uniqueIndex(entity: entity.name, names: names)
            places.append(place(name, "the uniqueness constraint (\(names.joined(separator: ", ")))"))
        }
        return places
    }
}

extension AttributeType {
    /// Whether a value can have thousands of bytes.
    fileprivate var canBeLarge: Bool {
        switch self {
        case .string, .uri, .binary, .transformable, .decimal: true
        default: false
        }
    }
}
