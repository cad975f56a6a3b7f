// A check in progress: the file, the model, and the findings. Created by StoreChecker; the steps are in
// StoreCheck+Job.swift files. It writes neither into the store nor beside it.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// The state of a check.
final class StoreCheck {
    let url: URL
    var report: StoreReport
    var problems = Findings()
    var notes = Findings()
    /// The file; set before the steps that read rows.
    var snapshotFile: ImmutableSnapshotFile?
    var connection: Connection?
    var metadata: StoreMetadata?
    /// A model supplied by the caller.
    var suppliedModel: NSManagedObjectModel?
    var resolvedModel: ResolvedModel?
    var schema = StoreSchema()
    /// The store's tables with their columns, by uppercase name.
    var tables: [String: [String]] = [:]
    /// Entities whose tables match the model, so that their rows can be queried.
    var readable: Set<String> = []

    init(_ url: URL) {
        self.url = url
        report = StoreReport(file: StoreLocation.shown(url))
    }

    /// The model's entities that the store holds, sorted by name.
    var entities: [Entity] {
        (resolvedModel?.part.entities ?? []).sorted { $0.name < $1.name }
    }

    /// The properties of an entity, inherited ones included.
    func properties(of entity: Entity) -> [Property] {
        resolvedModel?.part.allProperties(ofEntityNamed: entity.name) ?? []
    }

    /// Runs a step; an error in it is recorded as a problem, and the next step runs regardless.
    func step(_ name: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            problems.add("\(name): \(Self.text(error))", kind: name)
        }
    }

    static func text(_ error: any Error) -> String {
        switch error {
        case let error as SQLiteError: error.message
        case let error as StoreFileError: error.reason
        default: ((error as NSError).userInfo["reason"] as? String) ?? (error as NSError).localizedDescription
        }
    }

    /// The rows of a statement.
    func rows(_ sql: String, _ bindings: [SQLValue] = []) throws -> [[SQLValue]] {
        try connection?.rows(sql, bindings) ?? []
    }

    /// Calls `body` with each row of a statement; suits results of any size.
    func eachRow(_ sql: String, _ body: ([SQLValue]) -> Void) throws {
        guard let statement = try connection?.prepare(sql) else { return }
        defer { statement.reset() }
        while try statement.step() { body((0..<statement.columnCount).map { statement.value($0) }) }
    }

    /// Adds one problem for each row; the first column must be the row's key.
    func findRows(
        _ sql: String,
        _ entity: String,
        _ property: String?,
        kind: String,
        isNote: Bool = false,
        _ message: ([SQLValue]) -> String
    ) throws {
        let place = property.map { "\(entity).\($0)" } ?? entity
        let list: ReferenceWritableKeyPath<StoreCheck, Findings> = isNote ? \.notes : \.problems
        try eachRow(sql) { row in
            self[keyPath: list].add("\(place), row \(row[0].printed): \(message(row))", kind: "\(place): \(kind)")
        }
    }
}

extension SQLValue {
    /// The value as shown in a sentence.
    var printed: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "\"\(value.prefix(40))\""
        case .blob(let value): "\(value.count) bytes"
        case .typed(let value): value.plain.printed
        }
    }

    var whole: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
}
