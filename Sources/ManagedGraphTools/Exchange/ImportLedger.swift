// The state that an import keeps about written rows: the key that each name of the file was given, and the
// relationships still to be set. It is a private database of SQLite in an unnamed temporary file, so that any number of
// rows takes little memory and leaves nothing behind. Used by StoreImport, whatever the type of the store.
import Foundation
import GraphSQL
import GraphSQLite
import ManagedGraph

/// The names and relationships of an import.
final class ImportLedger {
    /// The row that a name of the file refers to.
    struct Place {
        let entity: Int
        let primaryKey: Int64
        let line: Int
        /// Whether the import has created the row.
        let isNew: Bool
    }

    /// A related object that a line names.
    struct Link {
        let slot: Int64
        let source: Int64
        let name: SQLValue
        let line: Int
        /// The row that the name refers to; nil if no line defines it.
        let place: Place?
    }

    /// A row that the import has written.
    struct Row {
        let key: Int64
        let line: Int
    }

    private let connection: Connection
    private var unnamed: Int64 = 0

    init() throws {
        connection = try Connection(path: ":memory:", mode: .create)
        try connection.execute(
            """
            CREATE TEMP TABLE imported(
                name PRIMARY KEY, tree INTEGER, entity INTEGER, pk INTEGER, line INTEGER, isnew INTEGER) WITHOUT ROWID;
            CREATE TEMP TABLE links(slot INTEGER, source INTEGER, place INTEGER, name, line INTEGER);
            CREATE TEMP TABLE completed(slot INTEGER, source INTEGER, PRIMARY KEY(slot, source)) WITHOUT ROWID;
            PRAGMA temp.cache_size = -16000;
            BEGIN
            """
        )
    }

    /// Removes the tables.
    func close() { connection.close() }

    /// Records a row; returns the name under which it is recorded, or nil if another line has that name.
    func note(_ name: SQLValue?, _ layout: ObjectLayout, _ key: Int64, line: Int, isNew: Bool) throws -> SQLValue? {
        unnamed -= name == nil ? 1 : 0
        let storedName = name ?? .integer(unnamed)
        let statement = try connection.prepare("INSERT OR IGNORE INTO temp.imported VALUES(?, ?, ?, ?, ?, ?)")
        try statement.bind(1, storedName)
        try statement.bind(2, Int64(layout.tree.index))
        try statement.bind(3, Int64(layout.index))
        try statement.bind(4, key)
        try statement.bind(5, Int64(line))
        try statement.bind(6, isNew ? 1 : 0 as Int64)
        try statement.run()
        return connection.changes == 1 ? storedName : nil
    }

    /// Removes the record of a row that was rejected later.
    func forget(_ storedName: SQLValue) throws {
        try connection.run("DELETE FROM temp.imported WHERE name = ?", [storedName])
    }

    /// The row that a name refers to, if a line read so far defines it.
    func place(of name: SQLValue) throws -> Place? {
        let statement = try connection.prepare("SELECT entity, pk, line, isnew FROM temp.imported WHERE name = ?")
        defer { statement.reset() }
        try statement.bind(1, name)
        guard try statement.step() else { return nil }
        return Place(
            entity: Int(statement.integer(0)),
            primaryKey: statement.integer(1),
            line: Int(statement.integer(2)),
            isNew: statement.integer(3) == 1
        )
    }

    /// Records a relationship to be set after all rows are written.
    func link(_ slot: Int64, _ source: Int64, _ place: Int, _ name: SQLValue, line: Int) throws {
        let statement = try connection.prepare("INSERT INTO temp.links VALUES(?, ?, ?, ?, ?)")
        try statement.bind(1, slot)
        try statement.bind(2, source)
        try statement.bind(3, Int64(place))
        try statement.bind(4, name)
        try statement.bind(5, Int64(line))
        try statement.run()
    }

    /// Calls `body` with portions of the recorded relationships, grouped by property, then by object, in their order.
    func eachLinks(_ size: Int, _ body: ([Link]) throws -> Void) throws {
        let statement = try connection.prepare(
            "SELECT l.slot, l.source, l.name, l.line, i.entity, i.pk, i.line, i.isnew FROM temp.links l "
                + "LEFT JOIN temp.imported i ON i.name = l.name ORDER BY l.slot, l.source, l.place"
        )
        defer { statement.reset() }
        var portion: [Link] = []
        while try statement.step() {
            let place =
                statement.isNull(5)
                ? nil
                : Place(
                    entity: Int(statement.integer(4)),
                    primaryKey: statement.integer(5),
                    line: Int(statement.integer(6)),
                    isNew: statement.integer(7) == 1
                )
            portion.append(
                Link(
                    slot: statement.integer(0),
                    source: statement.integer(1),
                    name: statement.value(2),
                    line: Int(statement.integer(3)),
                    place: place
                )
            )
            guard portion.count == size else { continue }
            try body(portion)
            portion.removeAll(keepingCapacity: true)
        }
        if !portion.isEmpty { try body(portion) }
    }

    /// Records that a relationship's other side was set although no line names it.
    func complete(_ slot: Int64, _ source: Int64) throws {
        try connection.run("INSERT OR IGNORE INTO temp.completed VALUES(?, ?)", [.integer(slot), .integer(source)])
    }

    /// Removes such a record, as a line names the other side too.
    func confirm(_ slot: Int64, _ source: Int64) throws {
        try connection.run(
            "DELETE FROM temp.completed WHERE slot = ? AND source = ?",
            [.integer(slot), .integer(source)]
        )
    }

    /// The number of completed other sides of each property.
    func completions() throws -> [(slot: Int64, count: Int)] {
        try connection.rows("SELECT slot, count(*) FROM temp.completed GROUP BY slot").compactMap { row in
            guard case .integer(let slot) = row[0], case .integer(let count) = row[1] else { return nil }
            return (slot, Int(count))
        }
    }

    /// The number of recorded relationships.
    func linkCount() throws -> Int {
        guard case .integer(let count)? = try connection.rows("SELECT count(*) FROM temp.links").first?.first else {
            return 0
        }
        return Int(count)
    }

    /// Calls `body` with portions of the imported rows of a tree, or of one of its entities.
    func eachRows(_ tree: Int, entity: Int?, _ size: Int, _ body: ([Row]) throws -> Void) throws {
        let statement = try connection.prepare(
            "SELECT pk, line FROM temp.imported WHERE tree = ?\(entity == nil ? "" : " AND entity = ?")"
        )
        defer { statement.reset() }
        try statement.bind(1, Int64(tree))
        if let entity { try statement.bind(2, Int64(entity)) }
        var portion: [Row] = []
        while try statement.step() {
            portion.append(Row(key: statement.integer(0), line: Int(statement.integer(1))))
            guard portion.count == size else { continue }
            try body(portion)
            portion.removeAll(keepingCapacity: true)
        }
        if !portion.isEmpty { try body(portion) }
    }
}
