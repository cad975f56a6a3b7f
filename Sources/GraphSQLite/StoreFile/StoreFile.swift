// A store's file as a whole: creating it, opening it, its metadata and keys. Called by the SQLite store.
// It does not interpret rows. Inspection is in StoreFile+Inspection.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQL

/// Operations on the file of an SQLite store.
package enum StoreFile {
    /// Creates a store with Apple's settings: pages of 4,096 bytes, incremental vacuum, WAL.
    ///
    /// The store is built beside its final path and moved there atomically, so that a killed process leaves no partial
    /// store.
    ///
    /// - Parameters:
    ///   - path: The store's file.
    ///   - schema: Its tables.
    ///   - metadata: Its metadata.
    ///   - modelCache: The model inside it.
    ///   - permissions: Those of the file, and so of its log.
    /// - Throws: `StoreFileError` if a file exists there, `SQLiteError` if creating it fails.
    package static func create(
        at path: String,
        schema: StoreSchema,
        metadata: StoreMetadata,
        modelCache: Data? = nil,
        permissions: FilePermissions = .usual
    ) throws {
        let draft = FilePlacement.draftPath(of: path, isHidden: false)
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                unlink(draft + suffix)
            }
        }
        try creating(draft, permissions)
        let connection = try Connection(path: draft, mode: .create)
        defer { connection.close() }
        try connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; PRAGMA synchronous = FULL")
        try connection.transaction(.exclusive) {
            try fill(connection, schema: schema, metadata: metadata, modelCache: modelCache)
        }
        // Last, so that no content remains in a log: only the draft file itself is moved.
        try connection.setJournalMode("wal")
        connection.close()
        try putInPlace(draft, at: path)
    }

    /// Creates a store's tables in an open, empty database: part of `create`, and all of it for an in-memory store.
    package static func fill(
        _ connection: Connection,
        schema: StoreSchema,
        metadata: StoreMetadata,
        modelCache: Data? = nil
    ) throws {
        for statement in schema.createStatements {
            try connection.execute(statement)
        }
        for statement in schema.seedStatements {
            try connection.run(statement.text, statement.bindings)
        }
        try writeMetadata(metadata, connection)
        try writeModelCache(modelCache, connection)
    }

    /// Opens a store's connection with the settings that durability requires.
    ///
    /// - Parameters:
    ///   - path: The store's file, or `:memory:`.
    ///   - isReadOnly: Whether writing is refused.
    ///   - busyTimeout: Milliseconds to wait for another writer.
    ///   - pragmas: The caller's settings, which override ours.
    /// - Returns: The connection.
    /// - Throws: `SQLiteError`; `StoreFileError` for a pragma that is not a single word.
    package static func open(
        at path: String,
        isReadOnly: Bool = false,
        busyTimeout: Int32 = 5_000,
        pragmas: [String: String] = [:]
    ) throws -> Connection {
        let mode: OpenMode = isReadOnly ? .readOnly : (path == ":memory:" ? .create : .readWrite)
        let connection = try Connection(path: path, mode: mode, busyTimeout: busyTimeout)
        if !isReadOnly {
            // A file in the caller's mode must not leave it even for a moment: to change over takes a lock that no
            // reader of another process permits, and those that read in between keep the file in the log's mode.
            if !pragmas.keys.contains(where: { $0.lowercased() == "journal_mode" }) {
                try connection.execute("PRAGMA journal_mode = WAL")
            }
            try connection.execute("PRAGMA synchronous = FULL")
            // With a small cache, the index pages of a large save are written to the log and read again many times.
            connection.enlargeCache()
        } else if pragmas["cache_size"] == nil {
            connection.hasSmallCache = true
        }
        for (name, value) in pragmas.sorted(by: { $0.key < $1.key }) {
            let isWord = { (text: String) in
                !text.isEmpty && text.utf8.allSatisfy { $0 == 0x5F || $0 == 0x2D || isAlphanumeric($0) }
            }
            guard isWord(name), isWord(value) else {
                throw StoreFileError(
                    kind: .metadata,
                    path: path,
                    reason: "The pragma \"\(name) = \(value)\" is not a name and a value. Write words and numbers only."
                )
            }
            try connection.execute("PRAGMA \(name) = \(value)")
        }
        return connection
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    // MARK: Metadata

    /// The store's metadata.
    ///
    /// - Throws: `StoreFileError` if there are none, or if they are not a property list.
    package static func readMetadata(_ connection: Connection) throws -> StoreMetadata {
        let rows = try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1")
        guard let row = rows.first, case .text(let uuid) = row[0], case .blob(let data) = row[1] else {
            throw StoreFileError(kind: .metadata, path: connection.path, reason: "The store has no metadata.")
        }
        guard let values = PropertyList.read(data) as? [String: Any] else {
            throw StoreFileError(
                kind: .metadata,
                path: connection.path,
                reason: "The store's metadata are not a property list."
            )
        }
        return StoreMetadata(uuid: uuid, values: values)
    }

    /// Replaces the store's metadata; part of the open transaction, if there is one.
    package static func writeMetadata(_ metadata: StoreMetadata, _ connection: Connection) throws {
        let data: Data
        do {
            data = try PropertyListSerialization.data(fromPropertyList: metadata.values, format: .binary, options: 0)
        } catch {
            throw StoreFileError(
                kind: .metadata,
                path: connection.path,
                reason: "The metadata contain a value that a property list cannot contain. Use strings, numbers, "
                    + "dates, data, arrays and dictionaries."
            )
        }
        try connection.run(
            "INSERT OR REPLACE INTO Z_METADATA(Z_VERSION, Z_UUID, Z_PLIST) VALUES(1, ?, ?)",
            [.text(metadata.uuid), .blob(data)]
        )
    }

    // MARK: Tables

    /// Whether all tables of the entities are there, made by the statements of this version.
    ///
    /// Nothing else of them has to be read then; false says nothing about the names.
    ///
    /// - Throws: `SQLiteError`.
    static func hasTables(of schema: StoreSchema, _ connection: Connection) throws -> Bool {
        var statements: Set<String> = []
        for row in try connection.rows("SELECT sql FROM sqlite_master WHERE type = 'table'") {
            if case .text(let statement)? = row.first { statements.insert(statement) }
        }
        return schema.tables.allSatisfy { statements.contains($0.createStatement) }
            && schema.joinTables.allSatisfy { statements.contains($0.createStatement) }
    }

    /// The column names by table name, all in upper case.
    ///
    /// - Throws: `SQLiteError`.
    package static func tables(_ connection: Connection) throws -> [String: [String]] {
        var tables: [String: [String]] = [:]
        for row in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            guard case .text(let name)? = row.first else { continue }
            do {
                let columns = try connection.rows("PRAGMA table_info(\(name.quotedName))")
                tables[name.uppercased()] = columns.compactMap {
                    if case .text(let column) = $0[1] { column.uppercased() } else { nil }
                }
            } catch let error as SQLiteError where error.kind == .other {
                // The columns of a virtual table cannot be read if its module is missing.
                tables[name.uppercased()] = []
            }
        }
        return tables
    }

    /// The numbers of the file's entities by name.
    ///
    /// - Throws: `SQLiteError`.
    package static func entityNumbers(_ connection: Connection) throws -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        // An entity of the model may have the name of one of the history's, which come first and give way.
        let order = "Z_ENT < \(HistorySchema.changeNumber), Z_ENT"
        for row in try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY ORDER BY \(order)") {
            if case .text(let name) = row[0], case .integer(let number) = row[1] { numbers[name] = number }
        }
        return numbers
    }

    // MARK: Keys

    /// The greatest key ever assigned in an entity tree; nil if the store does not have the entity.
    ///
    /// - Parameters:
    ///   - rootEntity: The number of the tree's root entity.
    ///   - table: The tree's table, if its rows may have greater keys than the counter; nil uses the counter only.
    ///   - connection: A connection to the store.
    /// - Returns: The key.
    /// - Throws: `SQLiteError`.
    package static func lastKey(
        rootEntity: Int64,
        of table: String? = nil,
        in connection: Connection
    ) throws -> Int64? {
        let last = greatestKey(of: table)
        let rows = try connection.rows("SELECT \(last) FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(rootEntity)])
        guard case .integer(let last)? = rows.first?.first else { return nil }
        return last
    }

    /// An SQL expression for the counter or, if a table is given, the greater of the counter and the table's greatest
    /// key.
    private static func greatestKey(of table: String?) -> String {
        table.map { "max(Z_MAX, coalesce((SELECT max(Z_PK) FROM \($0.sqliteName)), 0))" } ?? "Z_MAX"
    }

    /// Reserves `count` new primary keys of a table, in the save's transaction.
    ///
    /// - Parameters:
    ///   - count: At least 1.
    ///   - rootEntity: The number of the table's root entity, whose row holds the key counter of the whole tree.
    ///   - table: A table whose rows may have greater keys than the counter, which some migrations of other frameworks
    ///     leave; nil if that has been checked.
    ///   - connection: In a transaction, so that a failed save releases its keys.
    /// - Returns: The keys.
    /// - Throws: `SQLiteError`; `StoreFileError` if the store does not have the entity.
    package static func reserveKeys(
        _ count: Int,
        rootEntity: Int64,
        above table: String? = nil,
        in connection: Connection
    ) throws -> ClosedRange<Int64> {
        let former = greatestKey(of: table)
        let update = try connection.prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = \(former) + ? WHERE Z_ENT = ?")
        try update.bind(1, Int64(count))
        try update.bind(2, rootEntity)
        try update.run()
        let select = try connection.prepare("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
        defer { select.reset() }
        try select.bind(1, rootEntity)
        guard count > 0, try select.step(), !select.isNull(0) else {
            throw StoreFileError(
                kind: .damaged,
                path: connection.path,
                reason: "Z_PRIMARYKEY has no row for entity \(rootEntity), so objects cannot get keys."
            )
        }
        let last = select.integer(0)
        guard last >= Int64(count), last < .max else {
            throw StoreFileError(
                kind: .damaged,
                path: connection.path,
                reason:
                    "Z_PRIMARYKEY says that the last key of entity \(rootEntity) was \(last &- Int64(count)), which no "
                    + "row can have. Set Z_MAX to the greatest Z_PK of the entity's table."
            )
        }
        return (last - Int64(count) + 1)...last
    }
}
