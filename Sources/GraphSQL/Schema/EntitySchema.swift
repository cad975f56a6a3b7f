// The table, the number and the columns of an entity.
import GraphModel

/// An entity's place.
package struct EntitySchema: Sendable {
    package var name: String
    /// `Z_ENT`.
    package var number: Int64
    /// `Z_SUPER`, 0 for a root.
    package var superNumber: Int64
    /// Index into `StoreSchema.tables`.
    package var table: Int
    package var tableName: String
    package var own = OwnColumns.apple
    package var rootName: String
    /// Numbers of this entity and of all below it, ascending: the rows of a fetch with subentities.
    package var familyNumbers: [Int64]
    /// Whether the table's tree has more than one entity.
    package var isInTree: Bool
    /// Stored properties (inherited ones included) by name; the elements of a composite attribute by
    /// `composite.element`.
    package var properties: [String: PropertySchema]

    /// The columns that the entity's own properties have in its rows.
    var columnNames: Set<String> {
        var names: Set<String> = []
        for property in properties.values {
            switch property {
            case .attribute(let attribute): names.insert(attribute.column)
            case .toOne(let toOne):
                names.formUnion([toOne.column, toOne.entityColumn, toOne.orderColumn].compactMap(\.self))
            case .toManyInverse, .manyToMany: break
            }
        }
        return names
    }
}
