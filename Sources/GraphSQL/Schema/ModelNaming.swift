// Names for databases that people and other programs read too: those of the model, or those that its user info gives.
import GraphModel

/// The model's own names, or those of the user info.
///
/// | user info of | key | names |
/// | --- | --- | --- |
/// | a root entity | `SQLTable` | its table |
/// | a root entity | `SQLKeyColumn`, `SQLEntityColumn`, `SQLVersionColumn` | the columns of key, entity number, version |
/// | an attribute, a to-one relationship | `SQLColumn` | its column |
/// | a to-one relationship | `SQLEntityColumn` | the column of the destination's entity number |
/// | a to-many relationship without an inverse | `SQLColumn` | the column in its members' rows |
/// | a many-to-many relationship | `SQLTable` | the join table, on the side whose name sorts first |
/// | a many-to-many relationship | `SQLColumn` | the join table's column with the destination's key |
///
/// A column that would have the name of one of PostgreSQL's system columns, such as `xmin`, gets an underscore at its
/// end. If another column has that name too, `SchemaLayout` appends a number to the later one.
package struct ModelNaming: SchemaNaming {
    /// The greatest number of bytes in a name; longer ones end with a hash.
    private let limit: Int

    /// - Parameter limit: The greatest length of a name in bytes; some are kept free for numbers.
    package init(limit: Int = 63) { self.limit = limit - 3 }

    package func ownColumns(of root: Entity, isInTree: Bool) -> OwnColumns {
        OwnColumns(
            key: column(root.userInfo["SQLKeyColumn"] ?? "_id"),
            entityNumber: isInTree ? column(root.userInfo["SQLEntityColumn"] ?? "_entity") : nil,
            version: column(root.userInfo["SQLVersionColumn"] ?? "_version")
        )
    }

    package func table(of root: Entity) -> String { root.userInfo["SQLTable"] ?? short(root.name) }

    package func column(of attribute: Attribute, path: [String]) -> String {
        column(attribute.common.userInfo["SQLColumn"] ?? short(path.joined(separator: "_")))
    }

    package func column(of relationship: Relationship) -> String {
        column(relationship.common.userInfo["SQLColumn"] ?? short(relationship.name))
    }

    package func entityColumn(of relationship: Relationship, beside column: String, destination: Int64) -> String {
        self.column(relationship.common.userInfo["SQLEntityColumn"] ?? short(column + "_entity"))
    }

    package func orderColumn(beside column: String) -> String { self.column(short(column + "_order")) }

    package func ownerColumn(of relationship: Relationship, owner: Entity, number: Int64) -> String {
        column(relationship.common.userInfo["SQLColumn"] ?? short("\(owner.name)_\(relationship.name)"))
    }

    package func ownerOrderColumn(of relationship: Relationship, owner: Entity, number: Int64) -> String {
        orderColumn(beside: ownerColumn(of: relationship, owner: owner, number: number))
    }

    package func joinTable(of relationship: Relationship, owner: Entity, number: Int64) -> String {
        relationship.common.userInfo["SQLTable"] ?? short("\(owner.name)_\(relationship.name)")
    }

    package func joinColumn(of relationship: Relationship, destination: Int64) -> String {
        column(relationship.common.userInfo["SQLColumn"] ?? short(relationship.name))
    }

    package var reflexiveColumn: String { "_owner" }

    package func joinOrderColumn(beside column: String) -> String { orderColumn(beside: column) }

    package func keyIndex(table: String, column: String) -> String { short("\(table)_\(column)_idx") }

    package func joinIndex(table: String, column: String) -> String { short("\(table)_\(column)_idx") }

    package func fetchIndex(entity: String, name: String) -> String { short("\(entity)_\(name)_index") }

    package func uniqueIndex(entity: String, names: [String]) -> String {
        short("\(entity)_\(names.joined(separator: "_"))_unique")
    }

    /// The columns that PostgreSQL adds to each table; CREATE TABLE refuses others of these names.
    private static let systemColumns: Set<String> = ["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"]

    /// The name of a column, which is none of the system's.
    private func column(_ name: String) -> String { Self.systemColumns.contains(name) ? name + "_" : name }

    /// A name that the database takes whole.
    package func limited(_ name: String) -> String { short(name) }

    /// A name within the limit: databases cut longer ones off silently, so that two could become one.
    private func short(_ name: String) -> String {
        guard name.utf8.count > limit else { return name }
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let digits = String(hash, radix: 36)
        var head = ""
        for character in name {
            guard head.utf8.count + String(character).utf8.count + digits.utf8.count < limit else { break }
            head.append(character)
        }
        return head + "_" + digits
    }
}
