// Compares the tables of an open store with its model, and searches their rows for values that no save writes: others can
// change tables by hand. Called by PostgreSQLEngine.findings; it reads one snapshot and changes nothing.
import GraphEngine
import GraphModel
import GraphSQL

/// A check of a store's tables in progress.
struct TableCheck {
    private let map: TableMap
    private let model: Model
    private let name: String
    private let reader: PostgreSQLReader
    private var findings: [DatabaseFinding] = []
    /// The columns of each table in the schema.
    private var columns: [String: [String: Column]] = [:]
    /// Tables that have all columns of the model.
    private var sound: Set<String> = []
    /// The rows that are named of each kind of finding.
    private static let limit = 1_000

    private struct Column {
        let type: String
        let isRequired: Bool
        let hasDefault: Bool
    }

    private var dialect: any SQLDialect { map.schema.dialect }

    init(_ engine: PostgreSQLEngine) throws {
        map = try engine.requireMap()
        model = engine.configuration.contract.model
        name = engine.configuration.address.schema
        reader = PostgreSQLReader(engine, holdsSnapshot: true)
        own = engine.own
        rules = engine.rules
        profile = engine.profile
        existing = engine.existing
    }

    private let own: OwnTables
    private let rules: [RowRule]
    private let profile: StoreProfile
    private let existing: ExistingTables?

    /// Runs all steps.
    mutating func run() throws -> [DatabaseFinding] {
        defer { reader.renew() }
        if let existing {
            // The views have the columns, and the rest is for the program that owns the tables.
            for problem in existing.problems(map.schema, model) { add(problem, "tables") }
            sound = Set(map.schema.tables.map(\.name) + map.schema.joinTables.map(\.name))
            try checkNumbers()
        } else {
            try readColumns()
            try checkColumns()
            try checkIndexes()
            if profile == .standard { try checkForeignKeys() }
            try checkRules()
            try checkNumbers()
            for table in map.schema.tables where sound.contains(table.name) { try checkRows(of: table) }
        }
        for entity in map.schema.entityOrder.compactMap({ map.schema.entities[$0] })
        where sound.contains(entity.tableName) {
            try checkValues(of: entity)
        }
        for entity in map.schema.entityOrder.compactMap({ map.schema.entities[$0] }) { try checkPairs(of: entity) }
        return findings
    }

    private mutating func add(_ message: String, _ kind: String) {
        findings.append(DatabaseFinding(message, kind: kind))
    }

    /// The rows of a statement as texts.
    private func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [[String?]] {
        let result = try reader.run(SQLStatement(sql, values))
        return try EngineError.mappingPostgreSQL {
            try (0..<result.count).map { row in
                try result.columnNames.indices.map { try result.string($0, row) }
            }
        }
    }

    private func quoted(_ name: String) -> String { dialect.identifier(name) }

    // MARK: Tables

    private mutating func readColumns() throws {
        let columnRows = try rows(
            """
            SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull::text, \
            (a.atthasdef OR a.attidentity <> '')::text FROM pg_catalog.pg_class c \
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'f') AND a.attnum > 0 AND NOT a.attisdropped
            """,
            [.text(name)]
        )
        for row in columnRows {
            guard let table = row[0], let column = row[1], let type = row[2] else { continue }
            columns[table, default: [:]][column] = Column(
                type: type,
                isRequired: row[3] == "true",
                hasDefault: row[4] == "true"
            )
        }
    }

    private mutating func checkColumns() throws {
        var expected: [(table: String, columns: [(name: String, declaredType: String)])] = []
        for table in map.schema.tables {
            let own = [table.own.key, table.own.entityNumber, table.own.version].compactMap(\.self)
            let list = own.map { (name: $0, declaredType: "bigint") } + table.columns.map { ($0.name, $0.declaredType) }
            expected.append((table.name, list))
        }
        expected += map.schema.joinTables.map { ($0.name, $0.columns.map { ($0.name, $0.declaredType) }) }
        let types = try serverTypes(Set(expected.flatMap { $0.columns.map { Self.plainType($0.declaredType) } }))
        for (table, list) in expected {
            guard let existingColumns = columns[table] else {
                add("The table \(table) is missing. Restore it from a backup.", "tables")
                continue
            }
            var isSound = true
            for column in list {
                let declaredType = Self.plainType(column.declaredType)
                guard let existing = existingColumns[column.name] else {
                    isSound = false
                    add(
                        "\(table): the column \(column.name) is missing. Restore it: ALTER TABLE \(dialect.table(table)) "
                            + "ADD COLUMN \(quoted(column.name)) \(column.declaredType).",
                        "\(table): columns"
                    )
                    continue
                }
                let expectedType = types[declaredType] ?? declaredType
                guard existing.type != expectedType else { continue }
                isSound = false
                add(
                    "\(table): the column \(column.name) has the type \(existing.type) instead of \(expectedType). "
                        + "Change it back: ALTER TABLE \(dialect.table(table)) ALTER COLUMN \(quoted(column.name)) "
                        + "TYPE \(expectedType).",
                    "\(table): columns"
                )
            }
            let expectedNames = Set(list.map(\.name))
            for (column, existing) in existingColumns.sorted(by: { $0.key < $1.key })
            where !expectedNames.contains(column) && existing.isRequired && !existing.hasDefault {
                add(
                    "\(table): the column \(column), which the model does not have, must have a value, so no object can "
                        + "be inserted. Give it a default.",
                    "\(table): columns"
                )
            }
            if isSound { sound.insert(table) }
        }
    }

    /// The type without its collation.
    private static func plainType(_ type: String) -> String {
        type.range(of: " COLLATE").map { String(type[..<$0.lowerBound]) } ?? type
    }

    /// The server's names of types.
    private func serverTypes(_ declaredTypes: Set<String>) throws -> [String: String] {
        let names = declaredTypes.sorted()
        guard !names.isEmpty else { return [:] }
        let list = names.map { "format_type(\(dialect.literal(.text($0)))::regtype, NULL)" }.joined(separator: ", ")
        let row = try rows("SELECT \(list)")[0]
        return Dictionary(zip(names, row.map { $0 ?? "" })) { first, _ in first }
    }

    private mutating func checkIndexes() throws {
        let indexRows = try rows(
            """
            SELECT c.relname::text, (i.indisvalid AND i.indisready)::text FROM pg_catalog.pg_index i \
            JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1
            """,
            [.text(name)]
        )
        let valid = Dictionary(indexRows.map { ($0[0] ?? "", $0[1] == "true") }) { first, _ in first }
        for statement in map.schema.tables.flatMap(\.indexStatements) + map.schema.joinTables.flatMap(\.indexStatements)
        {
            guard let start = statement.range(of: "INDEX "), let end = statement.range(of: " ON ") else { continue }
            let index = statement[start.upperBound..<end.lowerBound].replacing("\"\"", with: "\"")
            let plain = index.hasPrefix("\"") ? String(index.dropFirst().dropLast()) : String(index)
            switch valid[plain] {
            case true?: break
            case false?: add("The index \(plain) is not valid. Rebuild it: REINDEX INDEX \(index).", "indexes")
            case nil: add("The index \(plain) is missing. Restore it: \(statement).", "indexes")
            }
        }
    }

    private mutating func checkForeignKeys() throws {
        let keyRows = try rows(
            """
            SELECT c.relname::text, a.attname::text, k.convalidated::text FROM pg_catalog.pg_constraint k \
            JOIN pg_catalog.pg_class c ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[1] \
            WHERE n.nspname = $1 AND k.contype = 'f' AND cardinality(k.conkey) = 1
            """,
            [.text(name)]
        )
        let existingNames = Set(keyRows.map { "\($0[0] ?? "").\($0[1] ?? "")" })
        var seen: Set<String> = []
        for reference in references where columns[reference.table]?[reference.column] != nil {
            let place = "\(reference.table).\(reference.column)"
            guard seen.insert(place).inserted, !existingNames.contains(place),
                let target = map.schema.entities[reference.destination]
            else { continue }
            add(
                "\(place) has no foreign key, so that a row it leads to can be deleted. Restore it: ALTER TABLE "
                    + "\(dialect.table(reference.table)) ADD FOREIGN KEY (\(quoted(reference.column))) REFERENCES "
                    + "\(dialect.table(target.tableName)) (\(quoted(target.own.key))) ON DELETE \(reference.action) "
                    + "DEFERRABLE INITIALLY DEFERRED.",
                "foreign keys"
            )
        }
    }

    /// A column with keys of an entity's rows.
    private struct Reference {
        let table: String
        let column: String
        let destination: String
        let action: String

        init(_ table: String, _ column: String, _ destination: String, _ action: String) {
            (self.table, self.column, self.destination, self.action) = (table, column, destination, action)
        }
    }

    private var references: [Reference] {
        map.schema.entityOrder.compactMap { map.schema.entities[$0] }.flatMap { entity in
            entity.properties.sorted { $0.key < $1.key }.flatMap { _, property -> [Reference] in
                switch property {
                case .toOne(let toOne):
                    [Reference(entity.tableName, toOne.column, toOne.destination, "SET NULL")]
                case .toManyInverse(let inverse) where inverse.inverse.isEmpty:
                    [Reference(inverse.destinationTable, inverse.column, entity.name, "SET NULL")]
                case .manyToMany(let join):
                    [
                        Reference(join.joinTable, join.ownColumn, entity.name, "CASCADE"),
                        Reference(join.joinTable, join.otherColumn, join.destination, "CASCADE"),
                    ]
                case .attribute, .toManyInverse: []
                }
            }
        }
    }

    private mutating func checkRules() throws {
        let ruleRows = try rows(
            """
            SELECT c.relname::text, k.conname::text FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c \
            ON c.oid = k.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND k.contype = 'c'
            """,
            [.text(name)]
        )
        let existingNames = Set(ruleRows.map { "\($0[0] ?? "").\($0[1] ?? "")" })
        for rule in rules where sound.contains(rule.table) {
            if !existingNames.contains("\(rule.table).\(rule.name)") {
                add(
                    "\(rule.table) has no check constraint for \(rule.entity).\(rule.property) (\(rule.format)). Open the "
                        + "store for writing as the owner of its tables to restore it.",
                    "check constraints"
                )
            }
            guard !rule.requiresValue, let key = map.schema.entities[rule.entity]?.own.key else { continue }
            try findRows(
                "SELECT \(quoted(key))::text FROM \(dialect.table(rule.table)) WHERE NOT (\(rule.condition))",
                "\(rule.entity).\(rule.property)",
                "validation"
            ) { _ in "the value breaks the model's rule \(rule.format). Correct it." }
        }
    }

    // MARK: Rows

    private mutating func checkNumbers() throws {
        let entityRows = try rows("SELECT name, number::text, super_number::text FROM \(own.entity)")
        let numbers = Dictionary(entityRows.map { ($0[0] ?? "", ($0[1] ?? "", $0[2] ?? "")) }) { first, _ in first }
        for entity in map.schema.entityOrder.compactMap({ map.schema.entities[$0] }) {
            guard let (number, parent) = numbers[entity.name] else {
                add("_entity has no row for the entity \(entity.name).", "_entity")
                continue
            }
            if number != "\(entity.number)" {
                add("_entity: \(entity.name) has the number \(number) instead of \(entity.number).", "_entity")
            }
            if parent != "\(entity.superNumber)" {
                add("_entity: \(entity.name) is below \(parent) instead of \(entity.superNumber).", "_entity")
            }
        }
    }

    /// Adds a finding for each row of a statement, whose first column is the key.
    private mutating func findRows(
        _ sql: String,
        _ place: String,
        _ kind: String,
        _ text: ([String?]) -> String
    ) throws {
        for row in try rows("\(sql) LIMIT \(Self.limit)") {
            add("\(place), row \(row[0] ?? "NULL"): \(text(row))", "\(place): \(kind)")
        }
    }

    private mutating func checkRows(of table: TableSchema) throws {
        guard let root = map.schema.entities[table.rootEntity] else { return }
        let (place, key) = (dialect.table(table.name), quoted(table.own.key))
        if let number = table.own.entityNumber {
            let family = root.familyNumbers.map(String.init).joined(separator: ", ")
            try findRows(
                "SELECT \(key)::text, \(quoted(number))::text FROM \(place) WHERE \(quoted(number)) IS NULL OR "
                    + "\(quoted(number)) NOT IN (\(family))",
                table.rootEntity,
                "unknown entity numbers"
            ) { "the entity number \($0[1] ?? "NULL") is none of this table's." }
        }
        let version = quoted(table.own.version)
        try findRows(
            "SELECT \(key)::text, \(version)::text FROM \(place) WHERE \(version) IS NULL OR \(version) < 1",
            table.rootEntity,
            "versions"
        ) { "the version is \($0[1] ?? "NULL"), so that no save can change the row. Set it to 1." }
        if profile == .distributed { return try checkCounter(of: table, place, key) }
        let sequence = dialect.table(TableStatements.sequence(of: table.name))
        guard try rows("SELECT to_regclass($1)::text", [.text(sequence)])[0][0] != nil else {
            add("\(table.name): the sequence of its keys is missing, so that no object can be inserted.", "sequences")
            return
        }
        let name = dialect.literal(.text(sequence))
        // Numerics, because the key that follows the last one of a sequence at its end exceeds bigint.
        let sequenceRows = try rows(
            "SELECT (last_value::numeric + CASE WHEN is_called THEN seqincrement ELSE 0 END)::text, seqincrement::text "
                + "FROM \(sequence), pg_catalog.pg_sequence WHERE seqrelid = \(name)::regclass"
        )[0]
        guard let next = sequenceRows[0].flatMap({ Int64($0) }), next < Int64.max - KeyBlocks.size else {
            add(
                "\(table.name): the sequence of its keys is at its end, so that no object can be inserted. Set it to the "
                    + "greatest key.",
                "sequences"
            )
            return
        }
        guard let step = sequenceRows[1].flatMap({ Int64($0) }), step > 0,
            // Blocks between those of the sequence are given by the sequence of another version.
            let last = try rows(
                "SELECT max(\(key))::text FROM \(place) WHERE \(key) >= \(next) AND "
                    + "(\(key) - \(next)) % \(step) < \(KeyBlocks.size)"
            )[0][0].flatMap({ Int64($0) })
        else { return }
        add(
            "\(table.name): the greatest key is \(last), but new keys begin at \(next). Set the sequence: SELECT "
                + "setval(\(name), \(next + (last - next) / step * step)).",
            "sequences"
        )
    }

    /// Checks the counter that new keys of a distributed store come from.
    private mutating func checkCounter(of table: TableSchema, _ place: String, _ key: String) throws {
        let counterRows = try rows("SELECT next::text FROM \(own.counter) WHERE name = $1", [.text(table.name)])
        guard let next = counterRows.first?[0].flatMap({ Int64($0) }) else {
            add("\(table.name): _counter has no row for its keys, so that no object can be inserted.", "counters")
            return
        }
        guard let last = try rows("SELECT max(\(key))::text FROM \(place)")[0][0].flatMap({ Int64($0) }), last >= next
        else { return }
        add(
            "\(table.name): the greatest key is \(last), but new keys begin at \(next). Set the counter: UPDATE "
                + "\(own.counter) SET next = \(last) + 1 WHERE name = \(dialect.literal(.text(table.name))).",
            "counters"
        )
    }

    private mutating func checkValues(of entity: EntitySchema) throws {
        let (place, key) = (dialect.table(entity.tableName), "t.\(quoted(entity.own.key))")
        let isOwn = entity.own.entityNumber.map { " AND t.\(quoted($0)) = \(entity.number)" } ?? ""
        for property in model.allProperties(ofEntityNamed: entity.name) where !property.common.isTransient {
            let isDerived =
                if case .attribute(let attribute) = property { attribute.derivationExpressionFormat != nil } else {
                    false
                }
            switch entity.properties[property.name] {
            case .attribute(let attribute)? where !property.common.isOptional && !isDerived:
                try findMissing(attribute.column, "\(entity.name).\(property.name)", place, key, isOwn)
            case .toOne(let toOne)?:
                if !property.common.isOptional {
                    try findMissing(toOne.column, "\(entity.name).\(property.name)", place, key, isOwn)
                }
                guard let target = map.schema.entities[toOne.destination], sound.contains(target.tableName) else {
                    continue
                }
                let column = "t.\(quoted(toOne.column))"
                let join =
                    "SELECT \(key)::text, \(column)::text FROM \(place) t LEFT JOIN \(dialect.table(target.tableName)) d "
                    + "ON d.\(quoted(target.own.key)) = \(column) WHERE \(column) IS NOT NULL\(isOwn) AND "
                try findRows(
                    join + "d.\(quoted(target.own.key)) IS NULL",
                    "\(entity.name).\(property.name)",
                    "missing destinations"
                ) { "it leads to the row \($0[1] ?? "") of \(target.tableName), which does not exist." }
                guard let number = target.own.entityNumber else { continue }
                let family = target.familyNumbers.map(String.init).joined(separator: ", ")
                var wrong = "d.\(quoted(number)) NOT IN (\(family))"
                if let beside = toOne.entityColumn {
                    wrong = "(\(wrong) OR d.\(quoted(number)) IS DISTINCT FROM t.\(quoted(beside)))"
                }
                try findRows(
                    join + "d.\(quoted(target.own.key)) IS NOT NULL AND \(wrong)",
                    "\(entity.name).\(property.name)",
                    "wrong entities"
                ) { "it leads to the row \($0[1] ?? "") of \(target.tableName), which is of another entity." }
            default: break
            }
        }
    }

    private mutating func findMissing(
        _ column: String,
        _ name: String,
        _ place: String,
        _ key: String,
        _ isOwn: String
    ) throws {
        try findRows(
            "SELECT \(key)::text FROM \(place) t WHERE t.\(quoted(column)) IS NULL\(isOwn)",
            name,
            "missing values"
        ) { _ in "the property is not optional, but has no value." }
    }

    private mutating func checkPairs(of entity: EntitySchema) throws {
        for (name, property) in entity.properties.sorted(by: { $0.key < $1.key }) {
            guard case .manyToMany(let join) = property, sound.contains(join.joinTable),
                sound.contains(entity.tableName)
            else { continue }
            let own = "j.\(quoted(join.ownColumn))"
            try findRows(
                "SELECT \(own)::text, j.\(quoted(join.otherColumn))::text FROM \(dialect.table(join.joinTable)) j LEFT "
                    + "JOIN \(dialect.table(entity.tableName)) t ON t.\(quoted(entity.own.key)) = \(own) "
                    + "WHERE t.\(quoted(entity.own.key)) IS NULL",
                "\(entity.name).\(name)",
                "pairs without an object"
            ) { "a pair of \(join.joinTable) with \($0[1] ?? "") has no object on this side. Delete the pair." }
        }
    }
}
