// The places of a model's entities and properties in Apple's layout, in the spelling of one dialect. Built once from a
// Model by StoreSchema+Layout; read by the statement builders, the translator and the store.
import GraphModel

/// The tables of a store.
package struct StoreSchema: Sendable {
    /// The database's spelling of statements about these tables.
    package let dialect: any SQLDialect
    /// By entity name.
    package var entities: [String: EntitySchema]
    /// All entity names in the order of their numbers.
    package var entityOrder: [String]
    /// One table per inheritance tree, in the order of the root entities' numbers.
    package var tables: [TableSchema]
    package var joinTables: [JoinTableSchema]
    /// Statements that make the triggers of derived attributes.
    package var triggers: [String] = []

    package init(
        entities: [String: EntitySchema] = [:],
        entityOrder: [String] = [],
        tables: [TableSchema] = [],
        joinTables: [JoinTableSchema] = [],
        dialect: any SQLDialect
    ) {
        self.dialect = dialect
        self.entities = entities
        self.entityOrder = entityOrder
        self.tables = tables
        self.joinTables = joinTables
    }
}

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
    package var rootName: String
    /// Numbers of this entity and of all below it, ascending: the rows of a fetch with subentities.
    package var familyNumbers: [Int64]
    /// Whether the table's tree has more than one entity.
    package var isInTree: Bool
    /// Stored properties (inherited ones included) by name; the elements of a composite attribute by
    /// `composite.element`.
    package var properties: [String: PropertySchema]

    package init(
        name: String,
        number: Int64,
        superNumber: Int64,
        table: Int,
        tableName: String,
        rootName: String,
        familyNumbers: [Int64],
        isInTree: Bool,
        properties: [String: PropertySchema]
    ) {
        self.name = name
        self.number = number
        self.superNumber = superNumber
        self.table = table
        self.tableName = tableName
        self.rootName = rootName
        self.familyNumbers = familyNumbers
        self.isInTree = isInTree
        self.properties = properties
    }
}

/// How one property is stored.
package enum PropertySchema: Sendable {
    case attribute(AttributeColumn)
    case toOne(ToOneColumn)
    /// To-many whose inverse is to-one: the destination's column points back.
    case toManyInverse(ToManyInverse)
    /// Many-to-many: a join table.
    case manyToMany(ManyToMany)
}

/// An attribute's column.
package struct AttributeColumn: Sendable {
    package var column: String
    package var type: AttributeType
    /// Whether a first byte of the value says that it stands in a file.
    package var isExternal: Bool

    package init(column: String, type: AttributeType, isExternal: Bool = false) {
        self.column = column
        self.type = type
        self.isExternal = isExternal
    }
}

/// A to-one relationship's columns.
package struct ToOneColumn: Sendable {
    package var column: String
    /// `Z<n>_<REL>`, if the destination's tree has subentities.
    package var entityColumn: String?
    /// `Z_FOK_<REL>`, if the inverse is ordered.
    package var orderColumn: String?
    package var destination: String
    package var inverse: String?

    package init(column: String, entityColumn: String?, orderColumn: String?, destination: String, inverse: String?) {
        self.column = column
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.destination = destination
        self.inverse = inverse
    }
}

/// A to-many relationship kept in the destination's rows.
package struct ToManyInverse: Sendable {
    package var destination: String
    package var destinationTable: String
    /// The to-one column in the destination's table that points here.
    package var column: String
    /// `Z_FOK_…` in the destination's table, if this side is ordered.
    package var orderColumn: String?
    /// The destination's relationship that points back; empty if the model names none, and then no property of the
    /// destination stands for `column`.
    package var inverse: String

    package init(destination: String, destinationTable: String, column: String, orderColumn: String?, inverse: String) {
        self.destination = destination
        self.destinationTable = destinationTable
        self.column = column
        self.orderColumn = orderColumn
        self.inverse = inverse
    }
}

/// A to-many relationship kept in a join table.
package struct ManyToMany: Sendable {
    package var destination: String
    package var destinationTable: String
    package var joinTable: String
    /// The join table's column that holds this side's key.
    package var ownColumn: String
    /// The join table's column that holds the destination's key.
    package var otherColumn: String
    /// `Z_FOK_…` that orders the destinations of this side, if this side is ordered.
    package var orderColumn: String?
    /// The column that orders this side's objects for the inverse, if the inverse is ordered.
    package var inverseOrderColumn: String?
    package var inverse: String?

    /// Whether the relationship is its own inverse: a pair then has two rows, one for each side.
    package var isReflexive: Bool { ownColumn == SchemaLayout.reflexiveColumn }

    package init(
        destination: String,
        destinationTable: String,
        joinTable: String,
        ownColumn: String,
        otherColumn: String,
        orderColumn: String?,
        inverseOrderColumn: String?,
        inverse: String?
    ) {
        self.destination = destination
        self.destinationTable = destinationTable
        self.joinTable = joinTable
        self.ownColumn = ownColumn
        self.otherColumn = otherColumn
        self.orderColumn = orderColumn
        self.inverseOrderColumn = inverseOrderColumn
        self.inverse = inverse
    }
}

/// A table of an inheritance tree.
package struct TableSchema: Sendable {
    package var name: String
    package var rootEntity: String
    /// After Z_PK, Z_ENT and Z_OPT, in Apple's order.
    package var columns: [ColumnSchema]
    package var indexStatements: [String]

    package init(name: String, rootEntity: String, columns: [ColumnSchema], indexStatements: [String] = []) {
        self.name = name
        self.rootEntity = rootEntity
        self.columns = columns
        self.indexStatements = indexStatements
    }
}

/// A column with its declared type.
package struct ColumnSchema: Sendable, Hashable {
    package var name: String
    package var declaredType: String

    package init(name: String, declaredType: String) {
        self.name = name
        self.declaredType = declaredType
    }
}

/// A many-to-many table.
package struct JoinTableSchema: Sendable {
    package var name: String
    /// Index into `StoreSchema.tables` of the side that gave the table its name.
    package var ownerTable: Int
    /// The owner's key, the other key, then the order columns there are.
    package var columns: [ColumnSchema]
    package var primaryKey: [String]
    package var indexStatements: [String]

    package init(
        name: String,
        columns: [ColumnSchema],
        primaryKey: [String],
        indexStatements: [String] = [],
        ownerTable: Int = 0
    ) {
        self.name = name
        self.ownerTable = ownerTable
        self.columns = columns
        self.primaryKey = primaryKey
        self.indexStatements = indexStatements
    }
}
