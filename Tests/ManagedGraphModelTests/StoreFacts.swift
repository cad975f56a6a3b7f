// The settings, schema, entities and metadata of a store's file, for tests that compare two files.
import Foundation
import GraphEngine
import GraphSQL
import GraphSQLite

struct StoreFacts {
    let framework: Int
    /// Whether the store tracks its history.
    var hasHistory: Bool { schema["table ATRANSACTION"] != nil }
    /// Pragmas by name.
    private var settings: [String: String] = [:]
    /// Statements by kind and name, with whitespace normalized.
    private var schema: [String: String] = [:]
    /// `Z_PRIMARYKEY` without the counters.
    private var entities: [String] = []
    /// The values of reserved keys, which depend only on the model, and a placeholder for all others.
    private var metadata: [String: String] = [:]

    init(_ path: String) throws {
        let connection = try Connection(path: path, mode: .readOnly)
        defer { connection.close() }
        for pragma in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id", "schema_version"] {
            settings[pragma] = try connection.rows("PRAGMA \(pragma)").first?.first.map { "\($0)" }
        }
        settings["schema_version"] = nil
        for row in try connection.rows("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL") {
            guard case .text(let type) = row[0], case .text(let name) = row[1], case .text(let sql) = row[2] else {
                continue
            }
            // Columns that were added later are not separated by the same spaces.
            schema["\(type) \(name)"] = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                .replacing(" ,", with: ",").replacing("( ", with: "(").replacing(" )", with: ")")
        }
        entities = try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
            .map { row in row.map { "\($0)" }.joined(separator: " ") }
        let storeMetadata = try StoreFile.readMetadata(connection)
        framework = storeMetadata.values["NSPersistenceFrameworkVersion"] as? Int ?? 0
        for (key, value) in storeMetadata.values {
            metadata[key] = StoreMetadata.isReserved(key) && !key.hasSuffix("FrameworkVersion") ? "\(value)" : "value"
            if let hashes = value as? [String: Data] {
                metadata[key] = hashes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.base64EncodedString())" }
                    .joined(separator: " ")
            }
        }
        let rows = try connection.rows("SELECT count(*) FROM Z_MODELCACHE")
        settings["models"] = rows.first?.first.map { "\($0)" }
    }

    /// Each difference as one line.
    func differences(from other: StoreFacts) -> [String] {
        Self.compare("setting", settings, other.settings) + Self.compare("schema", schema, other.schema)
            + Self.compare("metadata", metadata, other.metadata)
            + Self.compare("entity", Self.set(entities), Self.set(other.entities))
    }

    private static func set(_ lines: [String]) -> [String: String] {
        Dictionary(lines.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func compare(_ kind: String, _ ours: [String: String], _ apples: [String: String]) -> [String] {
        Set(ours.keys).union(apples.keys).sorted().filter { ours[$0] != apples[$0] }.map { key in
            "\(kind) \(key): ours \(ours[key] ?? "-"), Apple's \(apples[key] ?? "-")"
        }
    }
}
