// Large values in files beside the store: reads them, removes files that a killed process has left, and copies their
// values into the rows of a store in memory.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteEngine {
    package func externalData(named name: String) throws -> Data? { try files?.contents(name) }

    /// Removes unreferenced files; called when the store is opened for writing.
    ///
    /// A save holds SQLite's write lock while it writes files, so under the lock an unreferenced file will never be
    /// referenced. The lock is taken only if there are such files. O(rows with such attributes) if the store has files,
    /// else O(1).
    func removeLeftoverFiles(_ connection: Connection) throws {
        // Copies that migrations read have a link to the original's folder, whose files they do not own.
        guard let files, !files.isLinked else { return }
        // A store of another version of the model may have attributes with files that this model does not have.
        guard savedMetadata.versionHashes == configuration.contract.metadata.versionHashes else { return }
        let columns = externalColumns()
        guard !columns.isEmpty else { return }
        // Files that cannot be listed now are removed when the store is opened again.
        guard let names = try? files.names, !names.isEmpty,
            try !names.subtracting(namedFiles(columns, connection)).isEmpty,
            // Another store's rows may refer to them.
            let url, !ExternalFiles.isShared(url)
        else { return }
        do {
            try connection.begin(.immediate)
        } catch {
            // Another process is saving; a later opening of the store removes the files.
            return
        }
        defer { try? connection.rollback() }
        files.remove(try files.names.subtracting(namedFiles(columns, connection)))
    }

    /// The columns whose values may be in files, each once.
    package func externalColumns() -> [(table: String, column: String)] {
        var seen: Set<String> = []
        var columns: [(table: String, column: String)] = []
        for layout in model?.entities ?? [] {
            guard let entity = schema.entities[layout.name] else { continue }
            for slot in layout.properties where slot.allowsExternalStorage {
                guard case .attribute(let attribute)? = entity.properties[slot.name],
                    seen.insert(entity.tableName + "." + attribute.column).inserted
                else { continue }
                columns.append((entity.tableName, attribute.column))
            }
        }
        return columns
    }

    /// Stores values in the rows themselves that were in another store's files; O(rows with such attributes).
    ///
    /// A value whose file does not exist keeps its reference, and stays unreadable.
    func replaceReferences(to files: ExternalFiles) throws {
        try requireWriter().read { connection in
            try connection.transaction {
                for (table, column) in externalColumns() {
                    let (table, column) = (table.sqliteName, column.sqliteName)
                    let sql = "SELECT Z_PK, \(column) FROM \(table) WHERE substr(\(column), 1, 1) = x'02'"
                    for row in try connection.rows(sql) {
                        guard case .blob(let stored) = row[1], let name = LargeValue.name(in: stored),
                            let data = try files.contents(name)
                        else { continue }
                        try connection.run(
                            "UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?",
                            [.blob(LargeValue.inline(data)), row[0]]
                        )
                    }
                }
            }
        }
    }

    /// The names of the files to which rows refer.
    private func namedFiles(_ columns: [(table: String, column: String)], _ connection: Connection) throws -> Set<
        String
    > {
        var names: Set<String> = []
        for (table, column) in columns {
            let (table, column) = (table.sqliteName, column.sqliteName)
            let sql = "SELECT \(column) FROM \(table) WHERE substr(\(column), 1, 1) = x'02'"
            for case .blob(let stored) in try connection.rows(sql).joined() {
                if let name = LargeValue.name(in: stored) { names.insert(name) }
            }
        }
        return names
    }
}
