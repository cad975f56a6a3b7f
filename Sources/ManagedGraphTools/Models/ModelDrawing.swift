// Draws a model from tables that exist already: tables become entities, columns attributes, foreign keys relationships with
// inverses, join tables many-to-many relationships. Called by `managedgraph model import`. User info keeps the names of
// tables and columns, as ModelNaming reads them.
import Foundation
import GraphEngine
import GraphModel
import ManagedGraph

/// A model drawn from the tables of a database.
package struct ModelDrawing {
    /// The result.
    package private(set) var model = Model()
    /// Sentences about parts that were left out or changed.
    package private(set) var notes: [String] = []

    private let catalog: DatabaseCatalog
    private var entities: [String: Entity] = [:]
    /// The entities' names by table.
    private var names: [String: String] = [:]
    /// The names of the properties of each entity, by table.
    private var usedNames: [String: Set<String>] = [:]
    /// The attribute or relationship of a column, by table.
    private var places: [String: [String: String]] = [:]

    /// Reads the tables at an address, and draws them.
    ///
    /// - Parameter url: The address of a database.
    /// - Throws: The database's errors; 134080 if the schema has no tables, or those of a store.
    package init(tablesAt url: URL) throws {
        guard let type = try StoreLocation.databaseType(of: url),
            let database = NSPersistentStoreCoordinator.registeredStoreTypes[type] as? any DatabaseStore.Type
        else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "models are drawn from the tables of databases",
                remedy: "Give an address: postgresql://user@host/database?schema=name. A store's own model is shown by "
                    + "model show, and written by model convert."
            )
        }
        let catalog = try database.catalog(at: url)
        if catalog.tables.contains(where: { $0.name == "_store" }) {
            throw CoreDataError.cannotOpen(
                url,
                reason: "the schema \(catalog.schema) contains a store, which has its model already",
                remedy: "Write that model to a file: managedgraph model convert ADDRESS Model.xcdatamodeld."
            )
        }
        guard !catalog.tables.isEmpty else {
            throw CoreDataError.cannotOpen(
                url,
                reason: "the schema \(catalog.schema) contains no tables that this user can see",
                remedy: "Check schema= in the address."
            )
        }
        self.init(catalog)
    }

    /// Draws the tables of a catalog.
    init(_ catalog: DatabaseCatalog) {
        self.catalog = catalog
        let joins = catalog.tables.filter(isJoinTable)
        let tables = catalog.tables.filter { table in !joins.contains { $0.name == table.name } }
        for table in tables { nameEntity(of: table) }
        for table in tables { drawColumns(of: table) }
        for table in tables { for key in table.foreignKeys { drawRelationship(key, of: table) } }
        for join in joins { drawPairs(of: join) }
        for table in tables { drawIndexes(of: table) }
        model.entities = entities.values.sorted { $0.name < $1.name }
        let keyed = tables.filter { keyColumn(of: $0) != nil }.compactMap { names[$0.name] }.sorted()
        guard keyed.count < model.entities.count, !keyed.isEmpty else { return }
        model.configurations = [Configuration(name: Self.configuration, entityNames: keyed)]
        notes.append(
            "\(model.entities.count - keyed.count) of \(model.entities.count) tables have no key of one integer column. To open a "
                + "store over the tables, use the configuration \(Self.configuration), which leaves them out."
        )
    }

    /// The configuration with the entities whose tables have keys.
    private static let configuration = "ExistingTables"

    private mutating func nameEntity(of table: DatabaseCatalog.Table) {
        let preferredName = DrawnNames.entity(table.name)
        var name = preferredName
        var number = 2
        while names.values.contains(name) {
            name = "\(preferredName)\(number)"
            number += 1
        }
        names[table.name] = name
        var entity = Entity(name: name, className: name, codeGeneration: .classDefinition)
        if name != table.name { entity.userInfo["SQLTable"] = table.name }
        if let comment = table.comment { entity.userInfo["comment"] = comment }
        entities[table.name] = entity
    }

    // MARK: Attributes

    private static let integers: [String: AttributeType] = [
        "smallint": .integer16, "integer": .integer32, "bigint": .integer64,
    ]

    private static let types: [String: AttributeType] = integers.merging([
        "boolean": .boolean, "real": .float, "double precision": .double, "numeric": .decimal, "text": .string,
        "character varying": .string, "character": .string, "\"char\"": .string, "name": .string, "citext": .string,
        "timestamp with time zone": .date, "timestamp without time zone": .date, "date": .date, "uuid": .uuid,
        "bytea": .binary,
    ]) { $1 }

    /// The column of an integer primary key; nil if objects cannot be identified by the table's key.
    private func keyColumn(of table: DatabaseCatalog.Table) -> String? {
        guard table.primaryKey.count == 1, let name = table.primaryKey.first,
            let column = table.columns.first(where: { $0.name == name }), Self.integers[column.type] != nil
        else { return nil }
        return name
    }

    private mutating func drawColumns(of table: DatabaseCatalog.Table) {
        let key = keyColumn(of: table)
        if let key {
            if key != "_id" { entities[table.name]?.userInfo["SQLKeyColumn"] = key }
            let column = table.columns.first { $0.name == key }
            if column?.defaultText == nil {
                notes.append(
                    "\(table.name): the key \(key) has neither a sequence nor an identity. To insert objects, add one: "
                        + "ALTER TABLE \(table.name) ALTER COLUMN \(key) ADD GENERATED BY DEFAULT AS IDENTITY."
                )
            }
        } else {
            let keyDescription =
                table.primaryKey.isEmpty ? "no primary key" : "the key \(table.primaryKey.joined(separator: ", "))"
            notes.append(
                "\(table.name): objects need a key of one integer column, and the table has \(keyDescription). Add a column: ALTER "
                    + "TABLE \(table.name) ADD COLUMN _id bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE."
            )
        }
        let linked = Set(table.foreignKeys.filter { isDrawn($0, of: table) }.flatMap(\.columns))
        for column in table.columns where column.name != key && !linked.contains(column.name) {
            draw(column, of: table)
        }
    }

    private mutating func draw(_ column: DatabaseCatalog.Column, of table: DatabaseCatalog.Table) {
        guard !column.type.hasSuffix("[]") else {
            notes.append("\(table.name).\(column.name) is left out: attributes cannot hold \(column.type).")
            return
        }
        let type = Self.types[column.type] ?? .string
        let name = free(DrawnNames.property(column.name), in: table.name)
        var common = PropertyCommon(name: name, isOptional: !column.isRequired, isReadOnly: false)
        if name != column.name { common.userInfo["SQLColumn"] = column.name }
        if let comment = column.comment { common.userInfo["comment"] = comment }
        if let length = column.length, type == .string {
            common.validations.append(ValidationRule(predicateFormat: "length <= \(length)"))
        }
        if Self.types[column.type] == nil {
            common.userInfo["SQLType"] = column.type
            notes.append("\(table.name).\(column.name) is drawn as a String: no attribute has the type \(column.type).")
        }
        if column.isGenerated {
            notes.append("\(table.name).\(column.name) is computed by the database; do not set \(name).")
        }
        var attribute = Attribute(common: common, type: type)
        attribute.defaultValue = Self.value(column.defaultText, type)
        if Self.integers.values.contains(type) || [.boolean, .double, .float].contains(type) {
            attribute.usesScalarValue = column.isRequired
        }
        entities[table.name]?.properties.append(.attribute(attribute))
        places[table.name, default: [:]][column.name] = name
    }

    /// The value of a default that is a literal; nil for any other expression.
    private static func value(_ literal: String?, _ type: AttributeType) -> DefaultValue? {
        guard var literal else { return nil }
        // The text itself may have two colons: a cast follows its last quotation mark.
        let end = literal.lastIndex(of: "'") ?? literal.startIndex
        if let cast = literal.range(of: "::", range: end..<literal.endIndex) {
            literal = String(literal[..<cast.lowerBound])
        }
        if literal.hasPrefix("("), literal.hasSuffix(")") { literal = String(literal.dropFirst().dropLast()) }
        let isText = literal.count > 1 && literal.hasPrefix("'") && literal.hasSuffix("'")
        let plain = isText ? String(literal.dropFirst().dropLast()).replacing("''", with: "'") : literal
        switch type {
        case .integer16, .integer32, .integer64: return Int64(plain).map(DefaultValue.integer)
        case .boolean: return plain == "true" ? .boolean(true) : plain == "false" ? .boolean(false) : nil
        case .double, .float: return Double(plain).map(DefaultValue.double)
        case .decimal: return Double(plain) == nil ? nil : Decimal(string: plain).map(DefaultValue.decimal)
        case .string: return isText && !plain.isEmpty ? .string(plain) : nil
        default: return nil
        }
    }

    /// A name that no other property of the table's entity has.
    private mutating func free(_ preferredName: String, in table: String) -> String {
        var name = preferredName
        var number = 2
        while !usedNames[table, default: []].insert(name).inserted {
            name = "\(preferredName)\(number)"
            number += 1
        }
        return name
    }

    // MARK: Relationships

    /// Whether a foreign key leads from a column that is not the key of its table to the integer key of a table.
    private func isDrawn(_ key: DatabaseCatalog.ForeignKey, of table: DatabaseCatalog.Table) -> Bool {
        // A table without a key is in no store over the tables, so that none of its rows can be a destination.
        guard let keyName = keyColumn(of: table), key.columns.count == 1, let column = key.columns.first,
            column != keyName,
            let target = catalog.tables.first(where: { $0.name == key.table })
        else { return false }
        return keyColumn(of: target) == key.targets.first && !isJoinTable(target)
    }

    private mutating func drawRelationship(_ key: DatabaseCatalog.ForeignKey, of table: DatabaseCatalog.Table) {
        guard isDrawn(key, of: table), let column = key.columns.first, let source = names[table.name],
            let target = names[key.table], places[table.name]?[column] == nil
        else {
            let columns = key.columns.joined(separator: ", ")
            notes.append(
                "\(table.name): the foreign key of \(columns) to \(key.table) is not a relationship: it has to lead "
                    + "from a single column to a key of one integer column, and both tables need such a key. Its "
                    + "columns stay attributes."
            )
            return
        }
        let isRequired = table.columns.first { $0.name == column }?.isRequired ?? false
        let name = free(DrawnNames.toOne(column, to: target), in: table.name)
        let isOnly = table.foreignKeys.filter { $0.table == key.table }.count == 1
        let plural = DrawnNames.toMany(source)
        let by = isOnly ? plural : plural + "By" + DrawnNames.capitalized(name)
        let inverse = free(isOnly || !DrawnNames.toOne(column, to: target).isEmpty ? by : plural, in: key.table)
        var common = PropertyCommon(name: name, isOptional: !isRequired)
        if name != column { common.userInfo["SQLColumn"] = column }
        if let comment = table.columns.first(where: { $0.name == column })?.comment {
            common.userInfo["comment"] = comment
        }
        places[table.name, default: [:]][column] = name
        entities[table.name]?.properties.append(
            .relationship(Relationship(common: common, destinationEntityName: target, inverseName: inverse))
        )
        let rule: DeleteRule =
            switch key.onDelete {
            case .cascade: .cascade
            case .setNull: .nullify
            case .refuse: .deny
            }
        entities[key.table]?.properties.append(
            .relationship(
                Relationship(
                    common: PropertyCommon(name: inverse),
                    destinationEntityName: source,
                    inverseName: name,
                    maxCount: 0,
                    isToMany: true,
                    deleteRule: rule
                )
            )
        )
    }

    /// Whether a table is only pairs of keys: two foreign keys are its primary key, and all else has a default.
    private func isJoinTable(_ table: DatabaseCatalog.Table) -> Bool {
        guard table.foreignKeys.count == 2, table.foreignKeys.allSatisfy({ $0.columns.count == 1 }) else {
            return false
        }
        let columns = Set(table.foreignKeys.flatMap(\.columns))
        guard columns.count == 2, columns == Set(table.primaryKey) else { return false }
        let isReferred = catalog.tables.contains { $0.foreignKeys.contains { $0.table == table.name } }
        let leads = table.foreignKeys.allSatisfy { key in
            catalog.tables.first { $0.name == key.table }.flatMap(keyColumn) == key.targets.first
        }
        return !isReferred && leads && table.columns.allSatisfy { columns.contains($0.name) || $0.defaultText != nil }
    }

    private mutating func drawPairs(of table: DatabaseCatalog.Table) {
        let (firstKey, secondKey) = (table.foreignKeys[0], table.foreignKeys[1])
        guard let first = names[firstKey.table], let second = names[secondKey.table] else { return }
        let isReflexive = firstKey.table == secondKey.table
        let preferredNames = (
            isReflexive
                ? DrawnNames.toMany(DrawnNames.toOne(secondKey.columns[0], to: second)) : DrawnNames.toMany(second),
            isReflexive ? DrawnNames.toMany(DrawnNames.toOne(firstKey.columns[0], to: first)) : DrawnNames.toMany(first)
        )
        let (forward, back) = (free(preferredNames.0, in: firstKey.table), free(preferredNames.1, in: secondKey.table))
        func add(_ name: String, _ inverse: String, _ owner: String, _ destination: String, _ column: String) {
            let info = ["SQLTable": table.name, "SQLColumn": column]
            entities[owner]?.properties.append(
                .relationship(
                    Relationship(
                        common: PropertyCommon(name: name, userInfo: info),
                        destinationEntityName: destination,
                        inverseName: inverse,
                        maxCount: 0,
                        isToMany: true
                    )
                )
            )
        }
        add(forward, back, firstKey.table, second, secondKey.columns[0])
        add(back, forward, secondKey.table, first, firstKey.columns[0])
        let remainingColumns = table.columns.map(\.name).filter {
            ![firstKey.columns[0], secondKey.columns[0]].contains($0)
        }
        guard !remainingColumns.isEmpty else { return }
        notes.append(
            "\(table.name) is drawn as the relationship \(first).\(forward); its columns \(remainingColumns.joined(separator: ", ")) are "
                + "left to their defaults."
        )
    }

    // MARK: Indexes

    private mutating func drawIndexes(of table: DatabaseCatalog.Table) {
        let key = keyColumn(of: table)
        for index in table.indexes where index.columns.map(\.name) != [key].compactMap(\.self) {
            let elements = index.columns.compactMap { column in
                places[table.name]?[column.name].map { (name: $0, isAscending: column.isAscending) }
            }
            guard elements.count == index.columns.count else { continue }
            if index.isUnique {
                entities[table.name]?.uniquenessConstraints.append(elements.map(\.name))
                continue
            }
            // Relationships have an index in any case.
            let attributes = Set(entities[table.name]?.attributes.map(\.name) ?? [])
            guard elements.contains(where: { attributes.contains($0.name) }) else { continue }
            entities[table.name]?.indexes.append(
                FetchIndex(
                    name: "by" + elements.map { DrawnNames.capitalized($0.name) }.joined(),
                    elements: elements.map { FetchIndexElement(propertyName: $0.name, isAscending: $0.isAscending) }
                )
            )
        }
    }
}
