// A store's schema with the look-ups that translation makes, computed once a store.
import GraphModel

/// A schema and its entities by number, table and family.
final class SchemaIndex: Sendable {
    let schema: StoreSchema
    private let nameByNumber: [Int64: String]
    /// Numbers of all entities kept in a table, by table.
    private let numbersByTable: [Int: Set<Int64>]

    init(_ schema: StoreSchema) {
        self.schema = schema
        var names: [Int64: String] = [:]
        var numbers: [Int: Set<Int64>] = [:]
        for entity in schema.entities.values {
            names[entity.number] = entity.name
            numbers[entity.table, default: []].insert(entity.number)
        }
        nameByNumber = names
        numbersByTable = numbers
    }

    func table(ofEntity number: Int64) -> Int? {
        nameByNumber[number].flatMap { schema.entities[$0]?.table }
    }

    /// The entities below this one, in the order of their numbers.
    func subentities(of entity: EntitySchema) -> [EntitySchema] {
        entity.familyNumbers.filter { $0 != entity.number }.sorted().compactMap { number in
            nameByNumber[number].flatMap { schema.entities[$0] }
        }
    }

    /// The entities of a table, in the order of their numbers.
    func entities(inTable table: Int) -> [EntitySchema] {
        (numbersByTable[table] ?? []).sorted().compactMap { number in
            nameByNumber[number].flatMap { schema.entities[$0] }
        }
    }

    /// Whether every row of the entity's table belongs to it or to one below.
    func fillsTable(_ entity: EntitySchema) -> Bool {
        Set(entity.familyNumbers).union([entity.number]) == numbersByTable[entity.table]
    }

    /// Every property name that a key may use on this entity, for suggestions.
    func names(of entity: EntitySchema) -> Set<String> {
        subentities(of: entity).reduce(into: Set(entity.properties.keys)) { $0.formUnion($1.properties.keys) }
    }
}
