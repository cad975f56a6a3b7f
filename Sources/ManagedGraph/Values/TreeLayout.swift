// The columns of the row batches that hold an inheritance tree's rows. Built with the model's layouts; the SQLite
// store selects exactly these columns in this order.
import GraphModel
import GraphSQLite

/// The row shape of an inheritance tree.
package final class TreeLayout: @unchecked Sendable {
    /// One column that a property is read from.
    struct Column {
        /// The entity that declares the property.
        let entityName: String
        let propertyName: String
        let kind: ColumnKind
        /// The destination's entity number, beside a to-one's key.
        let isEntityNumber: Bool
    }

    package static let primaryKeyColumn = 0
    static let versionColumn = 1
    package static let entityColumn = 2

    package let index: Int
    package let rootName: String
    /// Whether rows of several entities share the table.
    package let isInTree: Bool
    /// After the primary key, the version and (in a tree) the entity number.
    let columns: [Column]
    /// Kinds of all columns of a batch.
    let kinds: [ColumnKind]
    private let columnByProperty: [String: Int16]

    init(root: NSEntityDescription, index: Int) {
        self.index = index
        rootName = root.name ?? ""
        isInTree = !root.subentities.isEmpty
        let first = isInTree ? 3 : 2
        var columns: [Column] = []
        var columnByProperty: [String: Int16] = [:]
        func addElements(of composite: NSCompositeAttributeDescription, path: String, _ entityName: String) {
            for element in composite.elements {
                let name = path + element.name
                if let nested = element as? NSCompositeAttributeDescription {
                    addElements(of: nested, path: name + ".", entityName)
                } else if let type = AttributeType(rawValue: Int(element.attributeType.rawValue)),
                    let kind = ColumnKind(type), !element.isTransient
                {
                    columnByProperty[entityName + "." + name] = Int16(first + columns.count)
                    columns.append(
                        Column(entityName: entityName, propertyName: name, kind: kind, isEntityNumber: false)
                    )
                }
            }
        }
        func visit(_ entity: NSEntityDescription, inherited: Set<String>) {
            var names = inherited
            let entityName = entity.name ?? ""
            for property in entity.properties where !inherited.contains(property.name) {
                names.insert(property.name)
                guard !property.isTransient else { continue }
                if let attribute = property as? NSCompositeAttributeDescription {
                    addElements(of: attribute, path: property.name + ".", entityName)
                } else if let attribute = property as? NSAttributeDescription {
                    let type = AttributeType(rawValue: Int(attribute.attributeType.rawValue)) ?? .undefined
                    guard let kind = ColumnKind(type) else { continue }
                    columnByProperty[entityName + "." + property.name] = Int16(first + columns.count)
                    columns.append(
                        Column(
                            entityName: entityName,
                            propertyName: property.name,
                            kind: kind,
                            isEntityNumber: false
                        )
                    )
                } else if let relationship = property as? NSRelationshipDescription, !relationship.isToMany {
                    columnByProperty[entityName + "." + property.name] = Int16(first + columns.count)
                    // A row names the destination's entity only where it can be one of several.
                    let isAmbiguous = relationship.destinationEntity?.hasSeveralEntities ?? false
                    for isEntityNumber in isAmbiguous ? [false, true] : [false] {
                        columns.append(
                            Column(
                                entityName: entityName,
                                propertyName: property.name,
                                kind: .integer,
                                isEntityNumber: isEntityNumber
                            )
                        )
                    }
                }
            }
            for subentity in entity.subentities { visit(subentity, inherited: names) }
        }
        visit(root, inherited: [])
        self.columns = columns
        self.columnByProperty = columnByProperty
        kinds = [ColumnKind](repeating: .integer, count: first) + columns.map(\.kind)
    }

    /// The column of a property, looked up where it was declared first; -1 where it is not stored.
    func column(named name: String, in entity: NSEntityDescription) -> Int16 {
        var declaring: NSEntityDescription? = entity
        while let current = declaring {
            if let column = columnByProperty[(current.name ?? "") + "." + name] { return column }
            declaring = current.superentity
        }
        return -1
    }
}

extension NSEntityDescription {
    /// Whether an object of this entity may be one of an entity below it; the schema has a column for it then.
    var hasSeveralEntities: Bool { !subentities.isEmpty }
}

extension ColumnKind {
    /// How values of an attribute type are decoded; nil where the type has no column.
    init?(_ type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: self = .integer
        case .double, .float, .date: self = .real
        // The shortest text of the number is closer to the decimal that was stored than its binary form.
        case .decimal, .string, .uri, .objectID: self = .text
        case .binary, .transformable: self = .blob
        case .uuid: self = .uuid
        case .undefined, .composite: return nil
        }
    }
}
