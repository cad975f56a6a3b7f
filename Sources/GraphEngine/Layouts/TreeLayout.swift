// The columns of the row batches for an inheritance tree. Built with the model's layouts; engines return exactly these
// columns in this order.
import GraphModel

/// The row shape of an inheritance tree.
public final class TreeLayout: @unchecked Sendable {
    /// One column of a property.
    package struct Column: Sendable {
        /// The entity that declares the property.
        package let entityName: String
        package let propertyName: String
        package let kind: ColumnKind
        /// Whether the column holds the destination's entity number, beside a to-one's key.
        package let isEntityNumber: Bool

        package init(entityName: String, propertyName: String, kind: ColumnKind, isEntityNumber: Bool = false) {
            self.entityName = entityName
            self.propertyName = propertyName
            self.kind = kind
            self.isEntityNumber = isEntityNumber
        }
    }

    /// The column of the primary key.
    @inlinable public static var primaryKeyColumn: Int { 0 }
    /// The column of the row's version.
    @inlinable public static var versionColumn: Int { 1 }
    /// The column of the entity number, in a tree of several entities.
    @inlinable public static var entityColumn: Int { 2 }

    package let index: Int
    package let rootName: String
    /// The same in all models with a root entity of this name.
    package let hashOfRootName: Int
    /// Whether rows of several entities share the table.
    package let isInTree: Bool
    /// The columns after the primary key, the version and (in a tree) the entity number.
    package let columns: [Column]
    /// The kinds of all columns of a batch.
    package let kinds: [ColumnKind]
    private let columnByProperty: [String: Int16]

    package init(index: Int, rootName: String, isInTree: Bool, columns: [Column]) {
        self.index = index
        self.rootName = rootName
        hashOfRootName = rootName.hashValue
        self.isInTree = isInTree
        self.columns = columns
        let first = isInTree ? 3 : 2
        var columnByProperty: [String: Int16] = [:]
        for (place, column) in columns.enumerated() where !column.isEntityNumber {
            columnByProperty[column.entityName + "." + column.propertyName] = Int16(first + place)
        }
        self.columnByProperty = columnByProperty
        kinds = [ColumnKind](repeating: .integer, count: first) + columns.map(\.kind)
    }

    /// The column of a property declared by an entity; nil if it has none.
    package func column(named name: String, declaredBy entityName: String) -> Int16? {
        columnByProperty[entityName + "." + name]
    }
}

extension ColumnKind {
    /// The decoding of an attribute type's values; nil if the type has no column.
    package init?(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: self = .integer
        case .double, .float, .date: self = .real
        // The number's shortest decimal text is closer to the stored decimal than its binary form.
        case .decimal, .string, .uri, .objectID: self = .text
        case .binary, .transformable: self = .blob
        case .uuid: self = .uuid
        case .undefined, .composite: return nil
        }
    }
}
