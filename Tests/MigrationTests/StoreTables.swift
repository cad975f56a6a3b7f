// The tables of a store, for comparing a migrated one with a new one.
import Foundation
import GraphSQL
import GraphSQLite

/// The content of a store's file: columns of each table, indexes, triggers, entities, metadata of the model.
struct StoreTables {
    private var facts: [String: [String]] = [:]

    init(_ url: URL) throws {
        let connection = try Connection(path: url.path, mode: .readOnly)
        defer { connection.close() }
        for row in try connection.rows("SELECT type, name, sql FROM sqlite_master") {
            guard case .text(let type) = row[0], case .text(let name) = row[1], case .text(let sql) = row[2] else {
                continue
            }
            if type == "table" {
                let columns = try connection.rows("PRAGMA table_info(\"\(name)\")").map { "\($0[1]) \($0[2]) \($0[5])" }
                // Added columns come last; their order is irrelevant.
                facts["table \(name)"] = columns.sorted()
            } else {
                facts["\(type) \(name)"] = [sql.filter { $0 != "\"" }]
            }
        }
        facts["entities"] = try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1").map {
            "\($0)"
        }
        let metadata = try StoreFile.readMetadata(connection)
        for key in metadata.values.keys.sorted() where key.hasPrefix("NSStoreModel") {
            let hashes = (metadata.values[key] as? [String: Data])?.sorted { $0.key < $1.key }
            facts["metadata \(key)"] = [
                hashes.map { "\($0.map { "\($0.key) \($0.value.base64EncodedString())" })" }
                    ?? "\(metadata.values[key] ?? "")"
            ]
        }
    }

    func differences(from expected: StoreTables) -> [String] {
        Set(facts.keys).union(expected.facts.keys).sorted().compactMap { key in
            facts[key] == expected.facts[key]
                ? nil : "\(key): \(facts[key] ?? ["missing"]) instead of \(expected.facts[key] ?? ["missing"])"
        }
    }
}
