// Writes the rows of one entity: values to marks, statements prepared once. Made by the SQLite store, used in the
// transaction of a save.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite

/// Writes rows of one entity.
final class RowWriter {
    /// A value's place among a row's columns.
    private enum Part { case value, entityNumber }

    private let statements: RowStatements
    private let layout: ObjectLayout
    private unowned let store: SQLiteStore
    /// For each column of an insert: the slot it comes from, or -1.
    private let insertSlots: [(slot: Int, part: Part)]
    /// Prepared once: looking a statement up by its text costs as much as binding a row.
    private var insertStatement: Statement?
    /// The columns of a slot.
    private let columnsBySlot: [Int: [(column: String, part: Part)]]

    init(statements: RowStatements, entity: EntitySchema, layout: ObjectLayout, store: SQLiteStore) {
        self.statements = statements
        self.layout = layout
        self.store = store
        var columnsBySlot: [Int: [(String, Part)]] = [:]
        var slotByColumn: [String: (Int, Part)] = [:]
        for (slot, description) in layout.slots.enumerated() where description.isStored {
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
        insertSlots = statements.columns.map { slotByColumn[$0] ?? (-1, .value) }
    }

    func insert(_ operation: RowOperation, _ connection: Connection) throws {
        let statement = try insertStatement ?? connection.prepare(statements.insert)
        insertStatement = statement
        try statement.bind(1, operation.primaryKey)
        try statement.bind(2, statements.entityNumber)
        try statement.bind(3, 1 as Int64)
        for (index, source) in insertSlots.enumerated() {
            if source.slot < 0 {
                try statement.bindNull(index + 4)
            } else {
                try bind(operation.values[source.slot], source.slot, source.part, statement, index + 4)
            }
        }
        try statement.run()
    }

    /// Writes the changed columns; returns false where the row's version is another.
    func update(_ operation: RowOperation, _ connection: Connection) throws -> Bool {
        var columns: [String] = []
        var sources: [(slot: Int, part: Part)] = []
        operation.slots.forEach { slot in
            for (column, part) in columnsBySlot[slot] ?? [] {
                columns.append(column)
                sources.append((slot, part))
            }
        }
        let statement = try connection.prepare(statements.update(columns))
        for (index, source) in sources.enumerated() {
            try bind(operation.values[source.slot], source.slot, source.part, statement, index + 1)
        }
        try statement.bind(columns.count + 1, operation.primaryKey)
        try statement.bind(columns.count + 2, operation.version)
        try statement.run()
        return connection.changes == 1
    }

    /// Deletes the row; returns false where the row's version is another.
    func delete(_ operation: RowOperation, _ connection: Connection) throws -> Bool {
        let statement = try connection.prepare(statements.delete)
        try statement.bind(1, operation.primaryKey)
        try statement.bind(2, operation.version)
        try statement.run()
        return connection.changes == 1
    }

    /// The version of a row now, nil where it is gone.
    func version(_ primaryKey: Int64, _ connection: Connection) throws -> Int64? {
        let rows = try connection.rows(statements.selectVersion, [.integer(primaryKey)])
        guard case .integer(let version)? = rows.first?.first else { return nil }
        return version
    }

    @inline(__always)
    private func bind(_ value: Value, _ slot: Int, _ part: Part, _ statement: Statement, _ mark: Int) throws {
        switch value {
        case .integer(let integer): try statement.bind(mark, integer)
        case .real(let real): try statement.bind(mark, real)
        case .string(let string): try statement.bind(mark, string)
        case .null, .absent, .toMany: try statement.bindNull(mark)
        default: try bindRare(value, slot, part, statement, mark)
        }
    }

    private func bindRare(_ value: Value, _ slot: Int, _ part: Part, _ statement: Statement, _ mark: Int) throws {
        switch value {
        case .data(let data):
            // A first byte of 1 says that the data stand here and not in a file of their own.
            try statement.bind(mark, layout.slots[slot].allowsExternalStorage ? Data([1]) + data : data)
        case .uuid(let uuid):
            try statement.bind(mark, withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .url(let url):
            try statement.bind(mark, url.absoluteString)
        case .decimal(let decimal):
            try statement.bind(mark, decimal.description)
        case .any(let box):
            try statement.bind(
                mark,
                try Transforming.data(from: box.value, slot: layout.slots[slot], entity: layout.name)
            )
        case .object(let object):
            try bindKey(object.key, part, statement, mark)
        case .reference(let key):
            try bindKey(key, part, statement, mark)
        case .absent, .null, .integer, .real, .string, .toMany:
            try statement.bindNull(mark)
        }
    }

    private func bindKey(_ key: ObjectKey, _ part: Part, _ statement: Statement, _ mark: Int) throws {
        guard part == .value else {
            let destination = layout.model.layouts[Int(key.entity)]
            return try statement.bind(mark, store.entityNumber(destination))
        }
        try statement.bind(mark, key.primaryKey)
    }
}
