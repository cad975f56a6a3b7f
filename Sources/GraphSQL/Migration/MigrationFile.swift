// The facts about a store that its model does not determine: a store that another framework wrote, or a migrated one,
// may have other entity numbers, table names and columns than a new store. Read by the engines' migrations, used by
// MigrationPlanner; values only.
import GraphModel

/// The numbers and tables of a store's file, or of its schema in a database, for the plan of a migration.
package struct MigrationFile: Sendable {
    /// Entity numbers by name; empty if they are those of a new store of the model.
    package var numbers: [String: Int64]
    /// The columns of each table, all names in upper case; empty if the tables are those of a new store.
    package var tables: [String: [String]]
    /// The columns whose declarations have a default value, by table.
    package var defaults: [String: [String]]
    /// The columns of the uniqueness constraints in the declarations of tables, by table.
    ///
    /// Frameworks before 2017 wrote them in place of unique indexes.
    package var constraints: [String: [[String]]] = [:]
    /// The tables of a database's schema; nil for those of an SQLite file.
    package var database: MigratedDatabase?

    /// Describes a file.
    ///
    /// - Parameters:
    ///   - numbers: Entity numbers by name.
    ///   - tables: The columns of the tables by name.
    ///   - defaults: The columns with default values by table.
    package init(
        numbers: [String: Int64] = [:],
        tables: [String: [String]] = [:],
        defaults: [String: [String]] = [:]
    ) {
        self.numbers = numbers
        self.tables = tables
        self.defaults = defaults
    }

    /// Describes the schema of a database.
    ///
    /// - Parameters:
    ///   - database: The spelling of its statements.
    ///   - numbers: Entity numbers by name.
    package init(_ database: MigratedDatabase, numbers: [String: Int64]) {
        self.init(numbers: numbers)
        self.database = database
    }

    /// The entities' numbers after a migration.
    ///
    /// In a database each entity keeps its number, and a new one gets the next. A file is numbered as a new store, for
    /// which the result is empty.
    func numbers(after mapping: ModelMapping, in model: Model) -> [String: Int64] {
        guard database != nil else { return [:] }
        var result: [String: Int64] = [:]
        for pair in mapping.entities {
            if let source = pair.source, let name = pair.destination { result[name] = numbers[source] }
        }
        var last = numbers.values.max() ?? 0
        for name in model.entities.map(\.name).sorted() where result[name] == nil {
            last += 1
            result[name] = last
        }
        return result
    }

    var dialect: any SQLDialect { database?.dialect ?? .sqlite }

    /// The tables of a model with the file's numbers and names.
    func schema(_ model: Model) -> StoreSchema {
        let plain = StoreSchema(model: model, numbers: numbers, dialect: dialect)
        guard !tables.isEmpty else { return plain }
        var schema = plain.fitted(to: tables)
        // `fitted` changes the relationships' names of join tables and columns; the tables themselves follow here.
        for index in schema.joinTables.indices {
            guard let (former, declared) = Self.declaration(of: schema.joinTables[index].name, plain, schema) else {
                continue
            }
            var names: [String: String] = [:]
            for (old, new) in [
                (former.ownColumn, declared.ownColumn), (former.otherColumn, declared.otherColumn),
                (former.orderColumn, declared.orderColumn), (former.inverseOrderColumn, declared.inverseOrderColumn),
            ] {
                if let old { names[old] = new }
            }
            schema.joinTables[index].name = declared.joinTable
            for place in schema.joinTables[index].columns.indices {
                let name = schema.joinTables[index].columns[place].name
                if let newName = names[name] { schema.joinTables[index].columns[place].name = newName }
            }
            schema.joinTables[index].primaryKey = schema.joinTables[index].primaryKey.map { names[$0] ?? $0 }
        }
        return schema
    }

    /// A relationship of a join table with the names in the model's tables, and with those in the file.
    private static func declaration(of name: String, _ plain: StoreSchema, _ fitted: StoreSchema)
        -> (ManyToMany, ManyToMany)?
    {
        for (entity, schema) in plain.entities {
            for (property, place) in schema.properties {
                guard case .manyToMany(let join) = place, join.joinTable == name,
                    case .manyToMany(let fittedJoin)? = fitted.entities[entity]?.properties[property]
                else { continue }
                return (join, fittedJoin)
            }
        }
        return nil
    }
}
