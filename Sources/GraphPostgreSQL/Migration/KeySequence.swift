// The sequences of the tables' keys, for two versions that share a table and for a migration that copies one. Each value is
// the first key of a block of 64. No key is given twice, not even that of a deleted row, which the history still names.
// Used by VersionExpansion, SideBySide, SchemaMigration and SchemaCopy.
import GraphEngine
import GraphSQL

/// The sequence of a table's keys, with the sequences from which programs of another version take keys of the table.
struct KeySequence {
    /// Keys from here on leave no room for further blocks; other programs can insert rows with any key.
    private static let limit = Int64.max - 1_000_000 * KeyBlocks.size

    /// The name, in quotes.
    let name: String
    /// The names of the other sequences, without those that do not exist.
    let others: [String]

    init(_ name: String, others: [String] = []) {
        self.name = name
        self.others = others
    }

    /// Keeps programs from taking blocks until the transaction ends; waits for transactions that have taken some.
    ///
    /// A save takes its keys before it locks tables, so sequences are locked before tables.
    ///
    /// - Throws: `PostgreSQLError`.
    func lock(_ connection: PostgreSQLConnection) throws {
        // LOCK TABLE refuses sequences; this statement changes nothing.
        for sequence in [name] + others { try connection.execute("ALTER SEQUENCE IF EXISTS \(sequence) NO CYCLE") }
    }

    /// The first key of a block after all blocks that were taken, and after the keys of all rows.
    ///
    /// - Throws: `PostgreSQLError`; `EngineError` of the kind `corrupt` if a row has one of the greatest possible keys.
    func next(_ connection: PostgreSQLConnection) throws -> Int64 {
        // The last value that was taken is the first key of a block that a program may still use.
        let last = "last_value + CASE WHEN is_called THEN \(KeyBlocks.size - 1) ELSE -1 END"
        var ends = try ([name] + others).filter { try exists($0, connection) }.map { "(SELECT \(last) FROM \($0))" }
        let owner = try connection.execute(
            SQLStatement(
                "SELECT d.refobjid::regclass::text, quote_ident(a.attname::text) FROM pg_depend AS d "
                    + "JOIN pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid "
                    + "WHERE d.classid = 'pg_class'::regclass AND d.objid = to_regclass($1) "
                    + "AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')",
                [.text(name)]
            )
        )
        if owner.count > 0, let table = try owner.string(0, 0), let key = try owner.string(1, 0) {
            ends.append("(SELECT max(\(key)) FROM \(table))")
        }
        guard !ends.isEmpty else { return 1 }
        let end = try connection.execute("SELECT GREATEST(\(ends.joined(separator: ", ")))").integer(0, 0) ?? 0
        guard end < Self.limit else {
            throw EngineError(
                .corrupt,
                "The greatest key of the sequence \(name) is \(end), after which there are no more.",
                remedy: "Give the row with this key a smaller one."
            )
        }
        return end < 1 ? 1 : (end - 1) / KeyBlocks.size * KeyBlocks.size + KeyBlocks.size + 1
    }

    private func exists(_ sequence: String, _ connection: PostgreSQLConnection) throws -> Bool {
        let result = try connection.execute(SQLStatement("SELECT to_regclass($1) IS NOT NULL", [.text(sequence)]))
        return try result.boolean(0, 0) == true
    }

    /// Sets all sequences, which must exist, to give in turn the blocks that follow the taken ones.
    ///
    /// The step of each is as long as one block of all of them, so that no two sequences give the same block.
    ///
    /// - Throws: `PostgreSQLError`.
    func alternate(_ connection: PostgreSQLConnection) throws {
        try lock(connection)
        try restart([name] + others, connection)
    }

    /// Sets only this sequence to give the blocks that follow the taken ones; the caller drops the others.
    ///
    /// - Throws: `PostgreSQLError`.
    func takeOver(_ connection: PostgreSQLConnection) throws {
        try lock(connection)
        try restart([name], connection)
    }

    /// Restarts sequences whose blocks alternate; undone if the transaction is rolled back.
    private func restart(_ sequences: [String], _ connection: PostgreSQLConnection) throws {
        var first = try next(connection)
        let step = KeyBlocks.size * Int64(sequences.count)
        for sequence in sequences {
            try connection.execute("ALTER SEQUENCE \(sequence) INCREMENT BY \(step) RESTART WITH \(first)")
            first += KeyBlocks.size
        }
    }
}
