// The engines that must pass the suite, and helpers for its tests.
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphSQL
import GraphSQLite
import PostgreSQLSupport
import Testing

@testable import ManagedGraph

/// An engine, open and empty.
final class TriedEngine {
    let engine: any StoreEngine
    let model: ModelLayout
    private let compiled: CompiledModel
    private let folder: URL
    private let isDistributed: Bool

    init(_ kind: EngineKind) throws {
        let newModel = EngineModel.make()
        if kind == .distributed { newModel.distribute() }
        compiled = CompiledModel.of(newModel)
        isDistributed = kind == .distributed
        model = compiled.stored
        folder = FileManager.default.temporaryDirectory.appending(path: "EngineTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = SQLiteConfiguration(.init(compiled, nil))
        configuration.isInMemory = kind == .sqliteMemory
        engine =
            switch kind {
            case .sqliteFile: SQLiteEngine(configuration, at: folder.appending(path: "Store.sqlite"))
            case .sqliteMemory: SQLiteEngine(configuration, at: nil)
            case .dictionary: DictionaryEngine()
            case .postgreSQL: PostgreSQLEngine(try Self.postgreSQL(compiled))
            case .distributed: PostgreSQLEngine(try Self.distributed(compiled))
            }
        engine.storeIndex = 3
        try engine.open(model)
    }

    /// A schema of its own in the shared server.
    private static func postgreSQL(_ model: CompiledModel) throws -> PostgreSQLConfiguration {
        let server = try PostgreSQLServer.shared()
        let address = try DatabaseAddress(server.address("postgres", "schema=\(try server.makeSchema())"))
        return PostgreSQLConfiguration(address, StoreContract(model, nil))
    }

    private static func distributed(_ model: CompiledModel) throws -> PostgreSQLConfiguration {
        let address = try DistributedServer.shared().address(
            schema: DistributedServer.newSchema(),
            "profile=distributed"
        )
        return PostgreSQLConfiguration(try DatabaseAddress(address), StoreContract(model, nil))
    }

    deinit {
        engine.close()
        if isDistributed { DistributedLint.checkServer() }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Issue.record(error)
        }
    }

    // MARK: The model

    func layout(_ name: String) throws -> EntityLayout { try #require(model.byName[name]) }

    func slot(_ entity: String, _ name: String) throws -> Int { try #require(try layout(entity).slot(named: name)) }

    func key(_ entity: String, _ primaryKey: Int64) throws -> ObjectKey {
        ObjectKey(try layout(entity).index, store: 3, primaryKey)
    }

    // MARK: Reading

    func reading<R>(holdsSnapshot: Bool = false, _ body: (any ReadSession) throws -> R) throws -> R {
        let session = try engine.lease(holdsSnapshot: holdsSnapshot)
        defer { engine.giveBack(session) }
        return try body(session)
    }

    func fetch(_ entity: String, includesSubentities: Bool = true, limit: Int = 0, offset: Int = 0) throws -> StoreFetch
    {
        StoreFetch(
            layout: try layout(entity),
            includesSubentities: includesSubentities,
            limit: limit,
            offset: offset
        )
    }

    /// The primary keys of a batch, in its order.
    static func keys(_ batch: RowBatch) -> [Int64] {
        (0..<batch.count).map { batch.integer(TreeLayout.primaryKeyColumn, $0) }
    }

    /// The value of a property in a batch of the entity's tree.
    func value(_ entity: String, _ name: String, _ batch: RowBatch, _ row: Int) throws -> RowValue {
        let layout = try layout(entity)
        let place = try #require(
            layout.tree.columns.firstIndex { column in
                column.propertyName == name && !column.isEntityNumber
                    && layout.isKind(of: model.byName[column.entityName] ?? layout)
            }
        )
        return batch.value(place + (layout.tree.isInTree ? 3 : 2), row)
    }

    /// The members of a relationship in the engine's order, by primary key.
    func members(_ entity: String, _ name: String, of owner: Int64) throws -> [Int64] {
        let (layout, slot) = (try layout(entity), try slot(entity, name))
        return try reading { try $0.members(layout: layout, slot: slot, primaryKey: owner) }.map(\.primaryKey)
    }

    // MARK: Writing

    /// Runs `body` in a new transaction.
    @discardableResult
    func write<R>(_ body: (any WriteSession) throws -> R) throws -> R {
        try engine.beginSave(SaveOrigin()).transaction(body)
    }

    /// A new row with values by name.
    func row(_ entity: String, _ primaryKey: Int64, _ values: [String: RowValue] = [:]) throws -> RowOperation {
        let layout = try layout(entity)
        var row = ContiguousArray<RowValue>(repeating: .null, count: layout.properties.count)
        for (name, value) in values { row[try slot(entity, name)] = value }
        if let realm = layout.slot(named: "realm") { row[realm] = .string("r") }
        return RowOperation(layout: layout, primaryKey: primaryKey, version: 0, values: row)
    }

    /// A change of some values in the row with this version.
    func change(_ entity: String, _ primaryKey: Int64, version: Int64, _ values: [String: RowValue]) throws
        -> RowOperation
    {
        var operation = try row(entity, primaryKey, values)
        operation.version = version
        for name in values.keys { operation.slots.insert(try slot(entity, name)) }
        return operation
    }

    /// Inserts rows with new keys of a tree; returns the keys.
    @discardableResult
    func insert(_ entity: String, _ rows: [[String: RowValue]]) throws -> [Int64] {
        try write { try insert(entity, rows, in: $0) }
    }

    @discardableResult
    func insert(_ entity: String, _ rows: [[String: RowValue]], in session: any WriteSession) throws -> [Int64] {
        let keys = Array(try session.reserveKeys(tree: try layout(entity).tree, count: rows.count).joined())
        var changes = StoreChanges()
        changes.inserts = try zip(keys, rows).map { try row(entity, $0, $1) }
        let outcome = try session.write(changes)
        #expect(outcome.conflicts.isEmpty)
        return keys
    }

    /// Writes changes that must not conflict.
    func apply(_ changes: StoreChanges) throws {
        let outcome = try write { try $0.write(changes) }
        #expect(outcome.conflicts.isEmpty)
    }
}
