// The table that the rows of an entity are written to: the store's own, or one of another program. Made by the engine for each
// entity once; read by the writer's statements.
import GraphEngine
import GraphModel
import GraphSQL

/// The place of an entity's rows as statements write them.
struct WrittenTable {
    /// The quoted name with its schema.
    let name: String
    /// The quoted column of the key.
    let key: String
    /// The version of a row, after `t.` is its table.
    let version: String
    /// Whether a row `t` has the version of `v`.
    let hasVersion: String
    /// The quoted column that counts the versions; nil if the database does.
    let counter: String?
    /// The entity's number in a row `t`.
    let entityNumber: String
    /// The column with the entity of new rows, and its value.
    let newEntity: (column: String, value: String)?
    /// Between the columns and the rows of INSERT.
    let overriding: String
    /// Values of columns as the tables take them.
    private let conversions: [String: (conversion: ColumnConversion, type: String)]
    /// Columns that the database computes, with the expressions that read them from `t`.
    let computed: [String: String]
    /// Columns that the table does not have, or that it computes.
    let unwritten: Set<String>

    /// A table of the store.
    init(_ entity: EntitySchema, _ dialect: any SQLDialect) {
        let version = dialect.identifier(entity.own.version)
        name = dialect.table(entity.tableName)
        key = dialect.identifier(entity.own.key)
        self.version = "t.\(version)"
        hasVersion = "t.\(version) = v.o"
        counter = version
        let number = entity.own.entityNumber.map(dialect.identifier)
        entityNumber = number.map { "t.\($0)" } ?? "\(entity.number)::bigint"
        newEntity = number.map { ($0, String(entity.number)) }
        overriding = ""
        (conversions, computed, unwritten) = ([:], [:], [])
    }

    /// A table of another program.
    init(_ entity: EntitySchema, in existing: ExistingTables, _ schema: StoreSchema, _ model: Model) {
        let dialect = existing.dialect
        let table = schema.tables[entity.table]
        name = dialect.table(entity.tableName)
        key = dialect.identifier(entity.own.key)
        version = ExistingTables.version("t")
        // A row that this transaction has already written has its version.
        hasVersion = "\(version) IN (v.o, pg_current_xact_id_if_assigned()::xid::text::bigint)"
        counter =
            existing.column(entity.own.version, of: entity.tableName) == nil
            ? nil : dialect.identifier(entity.own.version)
        let values = ExistingTables.entityValues(of: table, schema, model)
        entityNumber = existing.entityNumber(of: table, alias: "t", values) ?? "\(entity.number)::bigint"
        newEntity = table.own.entityNumber.flatMap { column in
            values.first { $0.0 == entity.number }.map { number, value in
                let type = existing.column(column, of: table.name)?.typeName ?? "text"
                return (dialect.identifier(column), "\(dialect.literal(.text(value)))::text::\(type)")
            }
        }
        overriding = "OVERRIDING SYSTEM VALUE "
        var conversions: [String: (ColumnConversion, String)] = [:]
        var computed: [String: String] = [:]
        var unwritten: Set<String> = []
        let types = ExistingTables.attributeTypes(entity.table, schema)
        for column in table.columns {
            guard let existingColumn = existing.column(column.name, of: table.name) else {
                unwritten.insert(column.name)
                continue
            }
            let conversion = types[column.name].flatMap { ColumnConversion(from: existingColumn.type, to: $0) } ?? .none
            if conversion != .none { conversions[column.name] = (conversion, existingColumn.typeName) }
            guard existingColumn.isGenerated else { continue }
            unwritten.insert(column.name)
            computed[column.name] = conversion.read("t.\(dialect.identifier(column.name))")
        }
        (self.conversions, self.computed, self.unwritten) = (conversions, computed, unwritten)
    }

    /// The value of a column in a row `t`, as the attribute's.
    func read(_ column: String, _ dialect: any SQLDialect) -> String {
        let name = "t.\(dialect.identifier(column))"
        return conversions[column]?.conversion.read(name) ?? name
    }

    /// A value as the column takes it.
    func value(_ value: String, of column: String) -> String {
        conversions[column].map { $0.conversion.written(value, as: $0.type) } ?? value
    }

    /// Whether the row `t` is that of `v`, in the version of `v`.
    var match: String { "t.\(key) = v.k AND (v.o = \(RowOperation.anyVersion) OR \(hasVersion))" }
}
