// One transaction of a PostgreSQL store. The transaction begins with the first statement, so that a save costs one
// round trip for new keys, one for its rows, and one for the history with the commit.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL

/// Writes rows in one transaction.
package final class PostgreSQLWriter: PostgreSQLReader, WriteSession {
    /// The transaction's connection; nil before the first statement, and after the end.
    private(set) var connection: PostgreSQLConnection?
    /// The number of the server's transaction; nil before it has written a row.
    var serverTransaction: String?
    /// The time in the history's row; nil until it is sent.
    var historyTime: Double?
    /// The number of the save in the history of a distributed store; nil until it is taken.
    var saveNumber: SaveNumbers.Number?
    private var hasEnded = false
    private let origin: SaveOrigin
    var history = HistoryRecord()
    /// Values that differ from those saved.
    var derivedValues: [DerivedValue] = []
    /// The owners of derived attributes that this transaction affects.
    var dependents = DependentRows()
    /// Whether the rows are those of another store: nothing is kept of each, so that their number does not matter.
    var isFilling = false
    /// Whether rows of an entity can be inserted by COPY, by the entity's index; as far as it was checked.
    var copiedLayouts: [Int: Bool] = [:]
    private var columnsByEntity: [Int: RowColumns] = [:]
    private var tookMetadata = false
    private var writtenMetadata: StoreMetadata?

    init(_ engine: PostgreSQLEngine, _ origin: SaveOrigin) {
        self.origin = origin
        super.init(engine, holdsSnapshot: false)
    }

    deinit { rollback() }

    /// False: foreign keys reveal the deletions of other writers.
    package var mayBeWrittenByOthers: Bool { false }
    package var takesWholeSaves: Bool { true }

    override func run(_ statements: [SQLStatement]) throws -> [PostgreSQLResult] {
        try run(statements, afterCommit: nil)
    }

    func run(_ statements: [SQLStatement], afterCommit: ((PostgreSQLError) -> Void)?) throws -> [PostgreSQLResult] {
        try engine.mapErrors {
            if hasEnded { throw engine.closed }
            if let connection { return try connection.pipeline(statements, afterCommit: afterCommit) }
            let connection = try engine.requirePool().lease()
            self.connection = connection
            let first = beginning
            return Array(try connection.pipeline(first + statements, afterCommit: afterCommit).dropFirst(first.count))
        }
    }

    /// The statements that begin the transaction.
    private var beginning: [SQLStatement] {
        switch engine.profile {
        case .standard:
            // Readers of the history wait for transactions with this lock, and for no others.
            ["BEGIN", "LOCK TABLE \(engine.own.transaction) IN ROW EXCLUSIVE MODE"].map { SQLStatement($0) }
        // References are checked by reading, which no other transaction may undo before the commit.
        // A session that has lost its client may hold locks until the server notices that.
        case .distributed:
            ["BEGIN ISOLATION LEVEL SERIALIZABLE", "SET LOCAL lock_timeout = '\(lockTimeout)ms'"]
                .map { SQLStatement($0) }
        }
    }

    /// The milliseconds that a save of a distributed store waits for a row; 0 would be without end.
    private var lockTimeout: Int { max(1, Int(engine.configuration.address.timeout / .milliseconds(1))) }

    override func withConnection<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        if connection == nil { _ = try run([]) }
        return try engine.mapErrors {
            guard let connection else { throw engine.closed }
            return try body(connection)
        }
    }

    package override func renew() {}

    // MARK: Keys

    package func reserveKeys(tree: TreeLayout, count: Int) throws -> [ClosedRange<Int64>] {
        var keys = engine.keys.take(count, tree: tree.index)
        var missing = Int64(count) - keys.reduce(0) { $0 + Int64($1.count) }
        guard missing > 0 else { return keys.sorted { $0.lowerBound < $1.lowerBound } }
        if engine.profile == .distributed {
            guard try engine.requireMap().schema.entities[tree.rootName] != nil else { return [] }
            // Other threads take keys from the same ranges.
            while missing > 0 {
                try take(keys: [(tree, missing)])
                let newKeys = engine.keys.take(Int(missing), tree: tree.index)
                missing -= newKeys.reduce(0) { $0 + Int64($1.count) }
                keys += newKeys
            }
            return keys.sorted { $0.lowerBound < $1.lowerBound }
        }
        guard let statement = try blocks(of: tree, missing) else { return [] }
        var newRanges = try ranges(try run(statement))
        keys += KeyBlocks.take(missing, from: &newRanges)
        engine.keys.keep(newRanges, tree: tree.index)
        return keys.sorted { $0.lowerBound < $1.lowerBound }
    }

    package func prepareKeys(_ counts: [(tree: TreeLayout, count: Int)]) throws {
        if engine.profile == .distributed {
            return try take(
                keys: counts.map { ($0.tree, engine.keys.missing($0.count, tree: $0.tree.index)) }.filter { $0.1 > 0 }
            )
        }
        let requests = try counts.compactMap { tree, count -> (tree: Int, statement: SQLStatement)? in
            let missing = engine.keys.missing(count, tree: tree.index)
            guard missing > 0, let statement = try blocks(of: tree, missing) else { return nil }
            return (tree.index, statement)
        }
        guard requests.count > 1 else { return }
        let results = try run(requests.map(\.statement))
        for (place, result) in results.enumerated() { engine.keys.keep(try ranges(result), tree: requests[place].tree) }
    }

    /// The statement that reserves blocks with a number of keys; nil for a tree that is not in this store.
    private func blocks(of tree: TreeLayout, _ missing: Int64) throws -> SQLStatement? {
        let schema = try engine.requireMap().schema
        guard let entity = schema.entities[tree.rootName] else { return nil }
        if let existing = engine.existing {
            return SQLStatement(
                "SELECT nextval($1::regclass) FROM generate_series(1, $2)",
                [.text(try existing.sequence(of: entity)), .integer(missing)]
            )
        }
        return SQLStatement(
            "SELECT nextval($1::regclass) FROM generate_series(1, $2)",
            [
                .text(schema.dialect.table(TableStatements.sequence(of: entity.tableName))),
                .integer((missing + KeyBlocks.size - 1) / KeyBlocks.size),
            ]
        )
    }

    /// The keys of blocks.
    private func ranges(_ result: PostgreSQLResult) throws -> [ClosedRange<Int64>] {
        try engine.mapErrors {
            let size = engine.existing == nil ? KeyBlocks.size : 1
            let firstKeys = try (0..<result.count).map { try result.integer(0, $0) ?? 0 }
            // Another program may have set the sequence to any number.
            if let impossibleKey = firstKeys.first(where: { !(1...Int64.max - size).contains($0) }) {
                throw EngineError(
                    .corrupt,
                    "A sequence of the store gives the key \(impossibleKey), which no object can have.",
                    remedy: "Set the sequence to the greatest key of its table: SELECT setval(…)."
                )
            }
            return KeyBlocks.ranges(ofBlocks: firstKeys, size: size)
        }
    }

    /// The columns of an entity's rows.
    ///
    /// - Throws: `EngineError` if the store does not contain the entity.
    func columns(of layout: EntityLayout) throws -> RowColumns {
        if let cachedColumns = columnsByEntity[layout.index] { return cachedColumns }
        guard let entity = try engine.requireMap().schema.entities[layout.name] else {
            throw EngineError(
                .incompatibleSchema,
                "The store does not contain the entity \(layout.name).",
                remedy: "Assign the object to a store whose configuration has the entity."
            )
        }
        let columns = RowColumns(layout, entity, try engine.written(entity))
        columnsByEntity[layout.index] = columns
        return columns
    }

    // MARK: Ending

    @discardableResult
    package func commit() throws -> CommitOutcome {
        if engine.failsNextCommit {
            engine.failsNextCommit = false
            throw EngineError(.failed, "the commit was made to fail")
        }
        if isFilling {
            history.removeAll()
            try checkAllReferences()
        }
        guard connection != nil || !history.changes.isEmpty else { return try finishWithoutChanges() }
        try renewOldNumber()
        var batch = derivedStatements()
        let derivedCount = batch.count
        let ownMetadata = try metadataStatement()
        batch += ownMetadata.map { [$0] } ?? []
        let numberPlace = history.changes.isEmpty ? nil : batch.count
        batch += try historyStatements(origin)
        batch.append(SQLStatement("COMMIT"))
        let readsStandbys = engine.readsStandbys
        let positionPlace = batch.count
        if readsStandbys { batch.append(Standbys.writtenPosition) }
        if engine.configuration.address.notifies, numberPlace != nil {
            batch.append(SaveNotifications.statement(store: engine.identifier))
        }
        var number: Int64?
        switch try runWithCommit(batch) {
        case .results(let results):
            try engine.mapErrors {
                if readsStandbys { engine.require(try results[positionPlace].integer(0, 0)) }
                try noteDerived(Array(results.prefix(derivedCount)))
                if let numberPlace { number = try results[numberPlace].integer(0, 0) }
            }
        case .lostReply(let transaction):
            number = transaction.number
            try engine.mapErrors {
                if let position = transaction.position { engine.require(position) }
                try noteDerived(transaction.derived)
            }
        }
        noteMetadataWritten()
        engine.transactions.add(1, ordering: .relaxed)
        if let saveNumber { engine.numbers.noteEnd(of: saveNumber) }
        saveNumber = nil
        end()
        engine.didCommit()
        if isFilling { try engine.mapErrors { try engine.applyRules() } }
        return CommitOutcome(derived: derivedValues, historyNumber: number, rowVersion: rowVersion)
    }

    /// The version of the rows in tables of other programs: the transaction that has written them, as `xmin` shows it.
    private var rowVersion: Int64? {
        guard engine.existing != nil else { return nil }
        return serverTransaction.flatMap { Int64($0) }.map { $0 & 0xFFFF_FFFF }
    }

    /// Commits a transaction that has written nothing.
    private func finishWithoutChanges() throws -> CommitOutcome {
        if let statement = try metadataStatement() {
            _ = try run([statement, SQLStatement("COMMIT")])
            noteMetadataWritten()
        }
        end()
        return CommitOutcome()
    }

    package func rollback() {
        if tookMetadata { engine.host?.keepChangedMetadata() }
        tookMetadata = false
        defer { releaseNumber() }
        guard !hasEnded else { return }
        if let connection, connection.isInTransaction {
            do {
                let readsStandbys = engine.readsStandbys
                let results = try connection.pipeline(
                    [SQLStatement("ROLLBACK")] + (readsStandbys ? [Standbys.writtenPosition] : [])
                )
                // The rows that have made the save fail must be seen when its reasons are looked for.
                if readsStandbys { engine.require(try results[1].integer(0, 0)) }
            } catch {
                engine.log(.debug, "A failed save could not be rolled back: \(error)")
            }
        }
        end()
    }

    func end() {
        hasEnded = true
        guard let connection else { return }
        self.connection = nil
        engine.giveBack(connection)
    }

    private func noteMetadataWritten() {
        if let writtenMetadata { engine.savedMetadata = writtenMetadata }
        (writtenMetadata, tookMetadata) = (nil, false)
    }

    /// Writes the metadata if a user has changed them.
    private func metadataStatement() throws -> SQLStatement? {
        guard var values = engine.host?.takeChangedMetadata() else { return nil }
        tookMetadata = true
        values[StoreMetadata.Key.storeUUID] = nil
        guard !(values as NSDictionary).isEqual(to: engine.savedMetadata.values) else { return nil }
        let written = engine.savedMetadata.withUserValues(values)
        writtenMetadata = written
        let data = try PropertyListSerialization.data(fromPropertyList: written.values, format: .binary, options: 0)
        // Metadata are required, and there are none if the store has been migrated: those of its new version stay.
        return SQLStatement(
            "UPDATE \(engine.own.store) SET metadata = CASE WHEN generation = $2 THEN $1::bytea END",
            [.blob(data), .integer(engine.generation)]
        )
    }
}
