// The columns of an entity's slots, with the types that they are written with. Computed once for each entity.
import GraphEngine
import GraphModel
import GraphSQL

/// The columns of an entity's rows.
struct RowColumns {
    /// One column of a slot.
    struct Column {
        let name: String
        let slot: Int
        /// Whether it holds the number of a destination's entity.
        let isEntityNumber: Bool
        let type: TypedValue.ElementType
        /// The type of the column.
        let declaredType: PostgreSQLType

        /// The value that the column has after a value was written to it.
        func stored(_ value: RowValue) -> RowValue {
            guard declaredType == .float4, case .real(let number) = value else { return type.stored(value) }
            return type.stored(.real(Double(Float(number))))
        }
    }

    let layout: EntityLayout
    let entity: EntitySchema
    let table: WrittenTable
    /// The columns that are written.
    let columns: [Column]
    /// The columns that the database computes.
    let computed: [Column]

    init(_ layout: EntityLayout, _ entity: EntitySchema, _ table: WrittenTable) {
        self.layout = layout
        self.entity = entity
        self.table = table
        let all = Self.columns(layout, entity)
        columns = all.filter { !table.unwritten.contains($0.name) }
        computed = all.filter { table.computed[$0.name] != nil }
    }

    private static func columns(_ layout: EntityLayout, _ entity: EntitySchema) -> [Column] {
        layout.properties.enumerated()
            .flatMap { slot, property -> [Column] in
                guard property.isStored else { return [] }
                switch entity.properties[property.name] {
                case .attribute(let attribute):
                    return [
                        Column(
                            name: attribute.column,
                            slot: slot,
                            isEntityNumber: false,
                            type: TypedValue.ElementType(attribute.type),
                            declaredType: PostgreSQLType(attribute.type)
                        )
                    ]
                case .toOne(let toOne):
                    let key = Column(
                        name: toOne.column,
                        slot: slot,
                        isEntityNumber: false,
                        type: .integer,
                        declaredType: .int8
                    )
                    let number = toOne.entityColumn.map {
                        Column(name: $0, slot: slot, isEntityNumber: true, type: .integer, declaredType: .int8)
                    }
                    return [key] + (number.map { [$0] } ?? [])
                case .toManyInverse, .manyToMany, nil: return []
                }
            }
    }

    /// The columns of some slots.
    func columns(of slots: SlotSet) -> [Column] { columns.filter { slots.contains($0.slot) } }
}
