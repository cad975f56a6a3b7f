// A derived attribute that follows a path of to-one relationships without a trigger: the rows it depends on, and its
// computation. Created when a store is opened; run at the end of a save that wrote such rows.
import GraphModel
import GraphSQL

/// One derived attribute of one entity.
struct DerivedPath {
    /// The path's names: relationships, then an attribute.
    let path: [String]
    /// The entity whose row is read at each step, the attribute's owner first.
    let entities: [EntitySchema]
    let attribute: String
    let column: String
    let function: String?
    private let joins: [String]
    private let source: String

    /// Creates a path of the model; nil if a step is not stored in rows.
    init?(_ derivation: Derivation, of attribute: String, entity: EntitySchema, schema: StoreSchema) {
        guard let path = derivation.followedPath, case .attribute(let ownAttribute)? = entity.properties[attribute]
        else {
            return nil
        }
        var entities = [entity]
        var joins: [String] = []
        for (step, name) in path.dropLast().enumerated() {
            guard case .toOne(let toOne)? = entities[step].properties[name],
                let next = schema.entities[toOne.destination]
            else { return nil }
            let row = "t\(step + 1)"
            joins.append(
                "LEFT JOIN \(next.tableName.sqliteName) \(row) ON \(row).Z_PK = t\(step).\(toOne.column.sqliteName)"
            )
            entities.append(next)
        }
        guard let last = path.last, case .attribute(let derivedAttribute)? = entities[path.count - 1].properties[last]
        else {
            return nil
        }
        if case .function(let name, _) = derivation { function = name } else { function = nil }
        self.path = path
        self.entities = entities
        self.attribute = attribute
        self.joins = joins
        column = ownAttribute.column
        source = "t\(path.count - 1).\(derivedAttribute.column.sqliteName)"
    }

    /// Updates the values that depend on the row with this key at a step of the path.
    ///
    /// Returns the entity's number, the key and the value of each updated row.
    func update(_ primaryKey: Int64, step: Int, _ connection: Connection) throws -> [(Int64, Int64, SQLValue)] {
        let table = entities[0].tableName.sqliteName
        var sql = "SELECT t0.Z_ENT, t0.Z_PK, \(source) FROM \(table) t0 \(joins.joined(separator: " ")) "
        sql += "WHERE t\(step).Z_PK = ?"
        if entities[0].isInTree {
            sql += " AND t0.Z_ENT IN (\(entities[0].familyNumbers.map(String.init).joined(separator: ", ")))"
        }
        return try connection.rows(sql, [.integer(primaryKey)]).map { row in
            guard case .integer(let number) = row[0], case .integer(let key) = row[1] else { return (0, 0, .null) }
            var value = row[2]
            if let function {
                if case .text(let sourceText) = value {
                    value = Derivation.call(function, sourceText).map(SQLValue.text) ?? .null
                }
            }
            try connection.run("UPDATE \(table) SET \(column.sqliteName) = ? WHERE Z_PK = ?", [value, .integer(key)])
            return (number, key, value)
        }
    }
}
