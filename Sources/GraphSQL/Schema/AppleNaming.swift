// The names of Apple's layout. Documentation/FileFormats.md lists them with their evidence.
import GraphModel

/// Apple's names: upper case with a prefix.
package struct AppleNaming: SchemaNaming {
    package init() {}

    package func ownColumns(of root: Entity, isInTree: Bool) -> OwnColumns { .apple }

    package func table(of root: Entity) -> String { "Z" + root.name.uppercased() }

    package func column(of attribute: Attribute, path: [String]) -> String { "Z" + attribute.name.uppercased() }

    package func column(of relationship: Relationship) -> String { "Z" + relationship.name.uppercased() }

    package func entityColumn(of relationship: Relationship, beside column: String, destination: Int64) -> String {
        "Z\(destination)_\(column.dropFirst())"
    }

    package func orderColumn(beside column: String) -> String { "Z_FOK_\(column.dropFirst())" }

    package func ownerColumn(of relationship: Relationship, owner: Entity, number: Int64) -> String {
        "Z\(number)\(relationship.name.uppercased())"
    }

    package func ownerOrderColumn(of relationship: Relationship, owner: Entity, number: Int64) -> String {
        "Z_FOK_\(number)\(relationship.name.uppercased())"
    }

    package func joinTable(of relationship: Relationship, owner: Entity, number: Int64) -> String {
        "Z_\(number)\(relationship.name.uppercased())"
    }

    package func joinColumn(of relationship: Relationship, destination: Int64) -> String {
        "Z_\(destination)\(relationship.name.uppercased())"
    }

    package var reflexiveColumn: String { "REFLEXIVE" }

    package func joinOrderColumn(beside column: String) -> String {
        column == reflexiveColumn ? "FOK_REFLEXIVE" : "Z_FOK_\(column.dropFirst(2))"
    }

    package func keyIndex(table: String, column: String) -> String { "\(table)_\(column)_INDEX" }

    package func joinIndex(table: String, column: String) -> String { "\(table)_\(column)_INDEX" }

    package func fetchIndex(entity: String, name: String) -> String { "Z_\(entity)_\(name)" }

    package func uniqueIndex(entity: String, names: [String]) -> String {
        "Z_\(entity)_UNIQUE_\(names.joined(separator: "_"))"
    }
}
