// Steps of a check: each value has the storage class of its attribute's column, and required values are present.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

extension StoreCheck {
    func checkValues() throws {
        for entity in entities where readable.contains(entity.name) {
            guard let place = schema.entities[entity.name] else { continue }
            for case .attribute(let attribute) in properties(of: entity) where !attribute.common.isTransient {
                try check(attribute, path: attribute.name, entity: place)
            }
            for case .relationship(let relationship) in properties(of: entity) where !relationship.isToMany {
                guard !relationship.common.isOptional, case .toOne(let toOne)? = place.properties[relationship.name]
                else { continue }
                try findMissing(toOne.column.sqliteName, relationship.name, place)
            }
        }
    }

    private func check(_ attribute: Attribute, path: String, entity: EntitySchema) throws {
        for element in attribute.elements { try check(element, path: "\(path).\(element.name)", entity: entity) }
        guard case .attribute(let column)? = entity.properties[path] else { return }
        let (table, name) = (entity.tableName.sqliteName, column.column.sqliteName)
        if let wrong = Self.wrongClass(attribute.type, name) {
            try findRows(
                "SELECT Z_PK, typeof(\(name)), \(name) FROM \(table) WHERE Z_ENT = \(entity.number) AND (\(wrong))",
                entity.name,
                path,
                kind: "wrong values"
            ) { "\($0[2].printed) (\($0[1].text ?? "")) is not \(attribute.type.sentenceName)." }
        }
        if attribute.type == .string || attribute.type == .uri { try checkText(name, path, attribute.type, entity) }
        if !attribute.common.isOptional, attribute.derivationExpressionFormat == nil {
            try findMissing(name, path, entity)
        }
    }

    private func findMissing(_ column: String, _ property: String, _ entity: EntitySchema) throws {
        try findRows(
            "SELECT Z_PK FROM \(entity.tableName.sqliteName) WHERE Z_ENT = \(entity.number) AND \(column) IS NULL",
            entity.name,
            property,
            kind: "missing values"
        ) { _ in "the property is not optional, but has no value." }
    }

    /// Reports text that is not UTF-8 and text that is not a valid URL.
    private func checkText(_ column: String, _ path: String, _ type: AttributeType, _ entity: EntitySchema) throws {
        // Only text that is not plain ASCII needs a closer look.
        let sql =
            "SELECT Z_PK, CAST(\(column) AS BLOB) FROM \(entity.tableName.sqliteName) WHERE Z_ENT = \(entity.number) "
            + "AND typeof(\(column)) = 'text'"
        let place = "\(entity.name).\(path)"
        try eachRow(sql) { row in
            guard case .blob(let bytes) = row[1] else { return }
            guard let string = String(validating: bytes, as: UTF8.self) else {
                return problems.add("\(place), row \(row[0].printed): the text is not UTF-8.", kind: "\(place): text")
            }
            if type == .uri, URL(string: string) == nil {
                problems.add(
                    "\(place), row \(row[0].printed): \(SQLValue.text(string).printed) is not a URL.",
                    kind: "\(place): URLs"
                )
            }
        }
    }

    /// A condition that holds for rows whose value in a column does not fit the attribute's type.
    private static func wrongClass(_ type: AttributeType, _ column: String) -> String? {
        func outside(_ classes: String...) -> String {
            "typeof(\(column)) NOT IN ('null', \(classes.map { "'\($0)'" }.joined(separator: ", ")))"
        }
        func range(_ low: Int64, _ high: Int64) -> String {
            outside("integer") + " OR \(column) NOT BETWEEN \(low) AND \(high)"
        }
        switch type {
        case .integer16: return range(Int64(Int16.min), Int64(Int16.max))
        case .integer32: return range(Int64(Int32.min), Int64(Int32.max))
        case .integer64: return outside("integer")
        case .boolean: return range(0, 1)
        case .double, .float, .date: return outside("real", "integer")
        case .decimal: return outside("real", "integer")
        case .string, .uri: return outside("text")
        case .uuid: return outside("blob") + " OR length(\(column)) <> 16"
        case .binary, .transformable: return outside("blob")
        case .undefined, .objectID, .composite: return nil
        }
    }

    /// Reports rows that violate a uniqueness constraint.
    func checkUniqueness() throws {
        for entity in entities where readable.contains(entity.name) {
            guard let place = schema.entities[entity.name] else { continue }
            for names in entity.uniquenessConstraints {
                let columns = names.compactMap { name -> String? in
                    switch place.properties[name] {
                    case .attribute(let attribute)?: attribute.column.sqliteName
                    case .toOne(let toOne)?: toOne.column.sqliteName
                    default: nil
                    }
                }
                guard !columns.isEmpty, columns.count == names.count else { continue }
                let list = columns.joined(separator: ", ")
                let present = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
                let numbers = place.familyNumbers.map(String.init).joined(separator: ", ")
                try findRows(
                    "SELECT min(Z_PK), count(*) FROM \(place.tableName.sqliteName) WHERE Z_ENT IN (\(numbers)) "
                        + "AND \(present) GROUP BY \(list) HAVING count(*) > 1",
                    entity.name,
                    names.joined(separator: ", "),
                    kind: "values that are not unique"
                ) { "\($0[1].printed) rows have the same value, which is to be unique." }
            }
        }
    }
}
