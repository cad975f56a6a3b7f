// Writes the rows of one entity: binds values to parameters of cached prepared statements. Created by the SQLite store,
// used in the transaction of a save.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// Writes rows of one entity.
package final class RowWriter {
    /// The part of a property's value that a column stores.
    enum Part { case value, entityNumber }

    /// A prepared update of a set of slots.
    final class UpdateForm {
        let slots: SlotSet
        /// Whether the update ignores the row's version.
        let isAnyVersion: Bool
        let sources: [(slot: Int, part: Part)]
        let statement: Statement

        init(slots: SlotSet, isAnyVersion: Bool, sources: [(slot: Int, part: Part)], statement: Statement) {
            self.slots = slots
            self.isAnyVersion = isAnyVersion
            self.sources = sources
            self.statement = statement
        }
    }

    /// The prepared inserts of one row and of several.
    private final class InsertForm {
        @exclusivity(unchecked) var one: Statement?
        @exclusivity(unchecked) var many: Statement?
    }

    /// The least number of rows for which it pays to prepare an insert of several.
    static var leastTogether: Int { 64 }
    /// The most rows that one statement inserts: to begin and end a statement takes SQLite as long as to write a third
    /// of a row.
    static var mostTogether: Int { 32 }

    let statements: RowStatements
    let layout: EntityLayout
    /// The writer that owns this object.
    private unowned(unsafe) let writer: SQLiteWriter
    /// The source slot of each column of an insert, or -1.
    let insertSlots: [(slot: Int, part: Part)]
    /// Kept prepared: looking up a statement by its text costs as much as binding a row.
    private let inserting = InsertForm()
    private let appending = InsertForm()
    @exclusivity(unchecked) private var deleteStatement: Statement?
    /// The latest form of an update: rows of a save often change the same columns.
    @exclusivity(unchecked) private var latestUpdate: UpdateForm?
    /// The latest form of an update of several rows.
    @exclusivity(unchecked) var latestTogether: UpdateForm?
    /// Slots whose values may be stored in external files.
    let externalSlots: [Int]
    /// Slots that derived attributes of other rows depend on.
    let followedSlots: [Int: [(path: Int, step: Int)]]
    /// The number of rows that one statement inserts; fewer if they have many columns, because SQLite limits the number
    /// of marks.
    private let rowsTogether: Int
    lazy var texts = TextArena()
    /// The key of the row being written.
    @exclusivity(unchecked) var primaryKey: Int64 = 0
    /// By slot, the columns that a property fills, and the part of the value in each.
    private let columnsBySlot: [Int: [(column: String, part: Part)]]

    init(statements: RowStatements, entity: EntitySchema, layout: EntityLayout, writer: SQLiteWriter) {
        self.statements = statements
        self.layout = layout
        self.writer = writer
        var columnsBySlot: [Int: [(String, Part)]] = [:]
        var slotByColumn: [String: (Int, Part)] = [:]
        for (slot, description) in layout.properties.enumerated() where description.isStored {
            switch entity.properties[description.name] {
            case .attribute(let attribute):
                columnsBySlot[slot] = [(attribute.column, .value)]
                slotByColumn[attribute.column] = (slot, .value)
            case .toOne(let toOne):
                columnsBySlot[slot] = [(toOne.column, .value)]
                slotByColumn[toOne.column] = (slot, .value)
                if let column = toOne.entityColumn {
                    columnsBySlot[slot]?.append((column, .entityNumber))
                    slotByColumn[column] = (slot, .entityNumber)
                }
            default:
                break
            }
        }
        self.columnsBySlot = columnsBySlot
        externalSlots = layout.properties.indices.filter { layout.properties[$0].allowsExternalStorage }
        followedSlots = writer.engine.followedSlots(layout)
        rowsTogether = min(Self.mostTogether, 960 / (statements.columns.count + 1))
        insertSlots = statements.columns.map { slotByColumn[$0] ?? (-1, .value) }
    }

    /// Inserts rows.
    ///
    /// - Parameters:
    ///   - operations: The rows.
    ///   - areAppended: Whether they have the table's next keys, so that SQLite need not search for their positions.
    ///   - connection: The connection.
    /// - Throws: The database's error.
    func insert(_ operations: ArraySlice<RowOperation>, areAppended: Bool, _ connection: Connection) throws {
        let form = areAppended ? appending : inserting
        try operations.withUnsafeBufferPointer { operations in
            var next = 0
            if operations.count >= Self.leastTogether, rowsTogether > 1 {
                let statement =
                    try form.many
                    ?? connection.prepare(
                        areAppended ? statements.append(rows: rowsTogether) : statements.insert(rows: rowsTogether)
                    )
                form.many = statement
                while next + rowsTogether <= operations.count {
                    try insert(operations, next..<next + rowsTogether, statement, hasKeys: !areAppended)
                    next += rowsTogether
                }
            }
            guard next < operations.count else { return }
            let statement = try form.one ?? connection.prepare(areAppended ? statements.append : statements.insert)
            form.one = statement
            for place in next..<operations.count {
                primaryKey = operations[place].primaryKey
                if !areAppended { try statement.bind(1, primaryKey) }
                try operations[place].values.withUnsafeBufferPointer {
                    try run(statement, insertSlots, $0, from: 0, mark: areAppended ? 1 : 2)
                }
                if !followedSlots.isEmpty { noteDependents { _ in true } }
            }
        }
    }

    /// Whether the rows' keys are consecutive and follow the table's greatest key.
    func isAppending(_ inserts: ArraySlice<RowOperation>, _ connection: Connection) throws -> Bool {
        guard let first = inserts.first, let last = inserts.last,
            last.primaryKey - first.primaryKey == Int64(inserts.count - 1),
            inserts.withUnsafeBufferPointer({ rows in
                rows.indices.dropFirst().allSatisfy { rows[$0 - 1].primaryKey + 1 == rows[$0].primaryKey }
            })
        else { return false }
        let maximum = try connection.rows("SELECT max(Z_PK) FROM \(statements.tableName.sqliteName)").first?.first
        switch maximum {
        case .integer(let greatest)?: return greatest == first.primaryKey - 1
        default: return first.primaryKey == 1
        }
    }

    /// Binds the columns from index `first` on, and runs the statement.
    ///
    /// SQLite borrows texts until the row is written, which avoids copies; one recursive call keeps each text alive.
    private func run(
        _ statement: Statement,
        _ sources: [(slot: Int, part: Part)],
        _ values: UnsafeBufferPointer<RowValue>,
        from first: Int,
        mark: Int
    ) throws {
        for index in first..<sources.count {
            let source = sources[index]
            guard source.slot >= 0 else {
                try statement.bindNull(index + mark)
                continue
            }
            switch values[source.slot] {
            case .integer(let integer): try statement.bind(index + mark, integer)
            case .null: try statement.bindNull(index + mark)
            case .string(let string):
                return try statement.withBorrowed(string, at: index + mark) {
                    try run(statement, sources, values, from: index + 1, mark: mark)
                }
            default: try bind(values[source.slot], source.slot, source.part, statement, index + mark)
            }
        }
        try statement.run()
    }

    func noteDependents(_ isWritten: (Int) -> Bool) {
        for (slot, steps) in followedSlots where isWritten(slot) {
            for (path, step) in steps {
                writer.dependents.insert(DependentRow(path: path, step: step, primaryKey: primaryKey))
            }
        }
    }

    /// Writes the changed columns; returns false if the row has another version.
    ///
    /// The operation comes by its address: reading a field of a copy would count references to all of them.
    func update(_ operation: UnsafePointer<RowOperation>, _ connection: Connection) throws -> Bool {
        primaryKey = operation.pointee.primaryKey
        if !externalSlots.isEmpty || !followedSlots.isEmpty { try noteUpdate(of: operation.pointee.slots, connection) }
        let form = try updateForm(operation, connection)
        let statement = form.statement
        let count = form.sources.count
        try statement.bind(count + 1, primaryKey)
        if !form.isAnyVersion { try statement.bind(count + 2, operation.pointee.version) }
        try write(operation, form)
        if connection.changes == 1 { return true }
        if connection.changes == 0, try giveVersion(operation.pointee, connection) { try write(operation, form) }
        return connection.changes == 1
    }

    @inline(__always)
    private func write(_ operation: UnsafePointer<RowOperation>, _ form: UpdateForm) throws {
        try operation.pointee.values.withUnsafeBufferPointer {
            try run(form.statement, form.sources, $0, from: 0, mark: 1)
        }
    }

    private func noteUpdate(of slots: SlotSet, _ connection: Connection) throws {
        if !externalSlots.isEmpty {
            try dropFiles(primaryKey, externalSlots.filter(slots.contains), connection)
        }
        if !followedSlots.isEmpty { noteDependents(slots.contains) }
    }

    private func updateForm(_ operation: UnsafePointer<RowOperation>, _ connection: Connection) throws -> UpdateForm {
        let isAny = operation.pointee.version == RowOperation.anyVersion
        if let latestUpdate, latestUpdate.isAnyVersion == isAny, latestUpdate.slots == operation.pointee.slots {
            return latestUpdate
        }
        let slots = operation.pointee.slots
        let (columns, sources) = columnsAndSources(slots)
        let sql = isAny ? statements.updateAnyVersion(columns) : statements.update(columns)
        let statement = try connection.prepare(sql)
        let form = UpdateForm(slots: slots, isAnyVersion: isAny, sources: sources, statement: statement)
        latestUpdate = form
        return form
    }

    /// Sets the unique attributes of an update to NULL, so that rows can exchange their unique values.
    func freeUniqueValues(_ operation: RowOperation, _ connection: Connection) throws {
        let unique = Set(layout.uniquenessConstraints.joined().compactMap { layout.slot(named: $0) })
        let columns = unique.sorted().filter(operation.slots.contains).flatMap { self.columns(of: $0) }
        guard !columns.isEmpty else { return }
        let assignments = columns.map { "\($0.sqliteName) = NULL" }.joined(separator: ", ")
        try connection.run(
            "UPDATE \(statements.tableName.sqliteName) SET \(assignments) WHERE Z_PK = ?",
            [.integer(operation.primaryKey)]
        )
    }

    /// Sets a row's first version if another writer left it NULL; returns whether it was NULL.
    private func giveVersion(_ operation: RowOperation, _ connection: Connection) throws -> Bool {
        guard operation.version == 0 else { return false }
        try connection.run(statements.giveVersion, [.integer(operation.primaryKey)])
        return connection.changes == 1
    }

    /// The columns of some slots, and the source of each column's value.
    func columnsAndSources(_ slots: SlotSet) -> (columns: [String], sources: [(slot: Int, part: Part)]) {
        var columns: [String] = []
        var sources: [(slot: Int, part: Part)] = []
        slots.forEach { slot in
            for (column, part) in columnsBySlot[slot] ?? [] {
                columns.append(column)
                sources.append((slot, part))
            }
        }
        return (columns, sources)
    }

    /// Deletes the row; returns false if the row has another version.
    func delete(_ operation: RowOperation, _ connection: Connection) throws -> Bool {
        if !externalSlots.isEmpty { try dropFiles(operation.primaryKey, externalSlots, connection) }
        let statement = try deleteStatement ?? connection.prepare(statements.delete)
        deleteStatement = statement
        try statement.bind(1, operation.primaryKey)
        try statement.bind(2, operation.version)
        try statement.run()
        if connection.changes == 0, try giveVersion(operation, connection) { try statement.run() }
        return connection.changes == 1
    }

    /// The least number of rows for which it pays to delete them together.
    static var deletedTogether: Int { 8 }

    /// Deletes rows of one version; returns false if one of them has another version.
    func delete(_ keys: [Int64], version: Int64, _ connection: Connection) throws -> Bool {
        if !externalSlots.isEmpty {
            let list = SQLValue.text(SQLiteEngine.list(keys))
            try dropFiles("Z_PK IN (SELECT value FROM json_each(?))", list, externalSlots, connection)
        }
        // In the order of the file.
        let list = KeyList(keys.sorted())
        let sql: String
        switch list {
        case .one: sql = statements.delete
        case .range: sql = statements.deleteRange
        case .list: sql = statements.deleteManyOfVersion
        }
        let statement = try connection.prepare(sql)
        try statement.bind(list.bind(to: statement), version)
        try statement.run()
        return Int(connection.changes) == keys.count
    }

    // MARK: Many rows at once

    /// The columns of a slot.
    package func columns(of slot: Int) -> [String] { columnsBySlot[slot]?.map(\.column) ?? [] }

    /// Binds an attribute's value.
    func bind(_ value: RowValue, _ slot: Int, to statement: Statement, _ mark: Int) throws {
        try bind(value, slot, .value, statement, mark)
    }

    /// Whether rows must be written one by one, because values use external files or other rows depend on them.
    func mustWriteRows(_ slots: SlotSet) -> Bool {
        externalSlots.contains(where: slots.contains) || followedSlots.keys.contains(where: slots.contains)
    }

    /// Sets the same values in many rows, regardless of their versions; returns the number of rows.
    func update(_ keys: [Int64], _ values: ContiguousArray<RowValue>, _ slots: SlotSet, _ connection: Connection) throws
        -> Int
    {
        let (columns, sources) = columnsAndSources(slots)
        guard !columns.isEmpty else { return 0 }
        let statement = try prepare(statements.updateMany(columns), values, sources, connection)
        try statement.bind(columns.count + 1, SQLiteEngine.list(keys))
        try statement.run()
        return Int(connection.changes)
    }

    /// Sets the same values, and values computed for each, in all rows of a fetch.
    ///
    /// - Parameters:
    ///   - rows: The rows, with the computed values.
    ///   - values: The values that are the same in all rows, by slot.
    ///   - slots: The slots of these values.
    ///   - computed: The slots of the computed values.
    ///   - connection: The connection.
    /// - Returns: The keys of the rows; nil, and nothing is changed, if triggers would write rows too, or if a computed
    ///   value does not fit its attribute.
    /// - Throws: The database's error.
    func update(
        _ rows: ChosenRows,
        _ values: ContiguousArray<RowValue>,
        _ slots: SlotSet,
        computed: [Int],
        _ connection: Connection
    ) throws -> [Int64]? {
        let (columns, sources) = columnsAndSources(slots)
        let computedColumns = computed.compactMap { columnsBySlot[$0]?.first?.column }
        guard computedColumns.count == computed.count, !(columns.isEmpty && computed.isEmpty),
            try !hasTriggers(connection)
        else { return nil }
        let computedValues = rows.computed.flatMap(\.values)
        if !computed.isEmpty {
            let types = computed.map { layout.properties[$0].type }
            guard let sql = statements.findMisfit(types, in: rows),
                try connection.rows(sql, computedValues + rows.values).isEmpty
            else { return nil }
        }
        let sql = statements.update(columns, computed: computedColumns, in: rows)
        let statement = try prepare(sql, values, sources, connection)
        for (place, value) in (computedValues + rows.values).enumerated() {
            try statement.bind(columns.count + place + 1, value)
        }
        return try connection.keysOfRows { try statement.run() }
    }

    /// A statement with the values of its first marks.
    private func prepare(
        _ sql: String,
        _ values: ContiguousArray<RowValue>,
        _ sources: [(slot: Int, part: Part)],
        _ connection: Connection
    ) throws -> Statement {
        let statement = try connection.prepare(sql)
        for (index, source) in sources.enumerated() {
            try bind(values[source.slot], source.slot, source.part, statement, index + 1)
        }
        return statement
    }

    private func hasTriggers(_ connection: Connection) throws -> Bool {
        // A trigger of another program has the table's name as its statement spells it.
        let sql = "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT 1"
        return try !connection.rows(sql, [.text(statements.tableName)]).isEmpty
    }

    /// Deletes many rows, regardless of their versions; returns the number of rows.
    func delete(_ keys: [Int64], _ connection: Connection) throws -> Int {
        let list = SQLValue.text(SQLiteEngine.list(keys))
        try dropFiles("Z_PK IN (SELECT value FROM json_each(?))", list, externalSlots, connection)
        try connection.run(statements.deleteMany, [list])
        return Int(connection.changes)
    }

    /// Deletes all rows of a fetch; returns their keys, or nil if external files or triggers have to be looked after.
    func delete(_ rows: ChosenRows, _ connection: Connection) throws -> [Int64]? {
        guard externalSlots.isEmpty, try !hasTriggers(connection) else { return nil }
        return try connection.keysOfRows { try connection.run(statements.delete(rows), rows.values) }
    }

    /// The current version of a row, or nil if it does not exist.
    func version(_ primaryKey: Int64, _ connection: Connection) throws -> Int64? {
        let rows = try connection.rows(statements.selectVersion, [.integer(primaryKey)])
        switch rows.first?.first {
        case .integer(let version)?: return version
        // Reads treat a NULL version as 0, too.
        case .null?: return 0
        default: return nil
        }
    }

    @inline(__always)
    func bind(_ value: RowValue, _ slot: Int, _ part: Part, _ statement: Statement, _ mark: Int) throws {
        switch value {
        case .integer(let integer): try statement.bind(mark, integer)
        case .real(let real):
            try statement.bind(mark, real)
            // SQLite stores NaN as NULL.
            if real != real { note(slot, .null) }
        case .string(let string): try statement.bind(mark, string)
        case .null: try statement.bindNull(mark)
        default: try bindRare(value, slot, part, statement, mark)
        }
    }

    private func bindRare(_ value: RowValue, _ slot: Int, _ part: Part, _ statement: Statement, _ mark: Int) throws {
        switch value {
        case .data(let data):
            try bind(data, slot, statement, mark)
        case .uuid(let uuid):
            try statement.bind(mark, withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .url(let url):
            try statement.bind(mark, url.absoluteString)
        case .decimal(let decimal):
            let stored = decimal.stored
            try statement.bind(mark, stored.storedNumber)
            if decimal.isNaN { note(slot, .null) }
            if stored != decimal { note(slot, .decimal(stored)) }
        case .key(let key):
            try bindKey(key, part, statement, mark)
        case .null, .integer, .real, .string:
            try statement.bindNull(mark)
        }
    }

    private func bind(_ data: Data, _ slot: Int, _ statement: Statement, _ mark: Int) throws {
        guard layout.properties[slot].allowsExternalStorage else { return try statement.bind(mark, data) }
        // A first byte marks the data as inline or in an external file.
        try statement.bind(mark, try writer.engine.files?.stored(data) ?? LargeValue.inline(data))
    }

    /// Reports the value that the store has instead of one that it cannot represent.
    private func note(_ slot: Int, _ value: RowValue) {
        let key = ObjectKey(
            entity: Int32(truncatingIfNeeded: layout.index),
            store: writer.engine.storeIndex,
            primaryKey: primaryKey
        )
        writer.derivedValues.append(DerivedValue(key: key, property: layout.properties[slot].name, value: value))
    }

    /// Marks the files of values that are about to be replaced or deleted.
    private func dropFiles(_ primaryKey: Int64, _ slots: [Int], _ connection: Connection) throws {
        try dropFiles("Z_PK = ?", .integer(primaryKey), slots, connection)
    }

    private func dropFiles(_ condition: String, _ value: SQLValue, _ slots: [Int], _ connection: Connection) throws {
        guard let files = writer.engine.files else { return }
        let columns = slots.compactMap { columnsBySlot[$0]?.first?.column.sqliteName }
        guard !columns.isEmpty else { return }
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(statements.tableName.sqliteName) WHERE \(condition)"
        for case .blob(let stored) in try connection.rows(sql, [value]).joined() {
            files.drop(stored)
        }
    }

    private func bindKey(_ key: ObjectKey, _ part: Part, _ statement: Statement, _ mark: Int) throws {
        guard part == .value else {
            let destination = layout.model.entities[Int(key.entity)]
            return try statement.bind(mark, writer.engine.entityNumber(destination))
        }
        try statement.bind(mark, key.primaryKey)
    }
}
