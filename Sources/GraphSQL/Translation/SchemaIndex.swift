// A store's schema with the look-ups that translation makes, computed once a store.
import GraphModel

/// A schema and its entities by number, table and family.
final class SchemaIndex: Sendable {
    let schema: StoreSchema
    private let entityByNumber: [Int: EntitySchema]
    /// Numbers of all entities kept in a table, ascending, by table.
    private let numbersByTable: [Int: [Int64]]

    init(_ schema: StoreSchema) {
        self.schema = schema
        var entities: [Int: EntitySchema] = [:]
        var numbers: [Int: [Int64]] = [:]
        for entity in schema.entities.values.sorted(by: { $0.number < $1.number }) {
            if let number = Int(exactly: entity.number) { entities[number] = entity }
            numbers[entity.table, default: []].append(entity.number)
        }
        entityByNumber = entities
        numbersByTable = numbers
    }

    func table(ofEntity number: Int64) -> Int? {
        entity(number: number)?.table
    }

    private func entity(number: Int64) -> EntitySchema? {
        Int(exactly: number).flatMap { entityByNumber[$0] }
    }

    /// The entities below this one, in the order of their numbers.
    func subentities(of entity: EntitySchema) -> [EntitySchema] {
        entity.familyNumbers.filter { $0 != entity.number }.sorted().compactMap { self.entity(number: $0) }
    }

    /// The entities of a table, in the order of their numbers.
    func entities(inTable table: Int) -> [EntitySchema] {
        (numbersByTable[table] ?? []).compactMap { entity(number: $0) }
    }

    /// Whether every row of the entity's table belongs to it or to one below.
    func fillsTable(_ entity: EntitySchema) -> Bool {
        numbersByTable[entity.table]?.allSatisfy { $0 == entity.number || entity.familyNumbers.contains($0) } == true
    }

    /// Every property name that a key may use on this entity, for suggestions.
    func names(of entity: EntitySchema) -> Set<String> {
        subentities(of: entity).reduce(into: Set(entity.properties.keys)) { $0.formUnion($1.properties.keys) }
    }
}
