// The facts about a store, besides its model, for a plan: a store of another framework, or a migrated one, may number
// its entities and name its tables otherwise. Read by the engines' migrations; values only.
import GraphModel

/// A store's file, or its schema in a database, as a plan sees it.
package struct MigrationFile: Sendable {
    /// Entity numbers by name; empty for those that the model gives.
    package var numbers: [String: Int64]
    /// The columns of the tables by name, both in upper case; empty for the model's.
    package var tables: [String: [String]]
    /// The columns whose declarations have a default value, by table.
    package var defaults: [String: [String]]
    /// The columns of each uniqueness constraint that a table's declaration has, by table: frameworks before 2017 made
    /// them instead of indexes.
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

    /// The entities' numbers after a migration: in a database each entity keeps its own, and a new one gets the next.
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

    /// A relationship of a join table, as the model has it and as the file does.
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
