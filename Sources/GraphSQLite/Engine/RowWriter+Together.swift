// Statements that write several rows: to begin and end a statement takes SQLite as long as to write a third of a row.
// Called by the writer of an entity's rows for saves of many.
import GraphEngine
import GraphSQL

extension RowWriter {
    /// Inserts some rows with one statement.
    func insert(
        _ operations: UnsafeBufferPointer<RowOperation>,
        _ places: Range<Int>,
        _ statement: Statement,
        hasKeys: Bool
    ) throws {
        texts.removeAll()
        var mark = 1
        for place in places {
            primaryKey = operations[place].primaryKey
            if hasKeys {
                try statement.bind(mark, primaryKey)
                mark += 1
            }
            try operations[place].values.withUnsafeBufferPointer { values in
                for source in insertSlots {
                    if source.slot < 0 {
                        try statement.bindNull(mark)
                    } else {
                        try bind(values[source.slot], source, statement, mark)
                    }
                    mark += 1
                }
            }
            if !followedSlots.isEmpty { noteDependents { _ in true } }
        }
        try statement.run()
    }

    // MARK: Updates

    /// The most columns of an update of several rows, because the text has a value for each of them and each row.
    private static let mostColumns = 2

    /// The number of rows from a place on that one statement updates; 1 if the first needs its own.
    func countUpdatedTogether(_ updates: UnsafeBufferPointer<RowOperation>, from place: Int) -> Int {
        let columns = updates[place].slots.bits?.nonzeroBitCount ?? 0
        guard (1...Self.mostColumns).contains(columns), externalSlots.isEmpty, followedSlots.isEmpty else { return 1 }
        let count = Self.mostTogether / columns
        guard place + count <= updates.count, updates[place].version != RowOperation.anyVersion else { return 1 }
        for other in place + 1..<place + count
        where updates[other].layout !== layout || updates[other].version != updates[place].version
            || updates[other].slots != updates[place].slots
        {
            return 1
        }
        return count
    }

    /// Updates as many rows as `countUpdatedTogether` returned; returns false if one of them has another version.
    func update(
        _ updates: UnsafeBufferPointer<RowOperation>,
        _ places: Range<Int>,
        _ connection: Connection
    ) throws -> Bool {
        let form = try form(updates[places.lowerBound].slots, places.count, connection)
        let statement = form.statement
        texts.removeAll()
        var mark = 1
        for place in places {
            try statement.bind(mark, updates[place].primaryKey)
            mark += 1
        }
        for source in form.sources {
            for place in places {
                primaryKey = updates[place].primaryKey
                try updates[place].values.withUnsafeBufferPointer { try bind($0[source.slot], source, statement, mark) }
                mark += 1
            }
        }
        try statement.bind(mark, updates[places.lowerBound].version)
        try statement.run()
        return connection.changes == places.count
    }

    private func form(_ slots: SlotSet, _ rows: Int, _ connection: Connection) throws -> UpdateForm {
        if let latestTogether, latestTogether.slots == slots { return latestTogether }
        let (columns, sources) = columnsAndSources(slots)
        let statement = try connection.prepare(statements.update(columns, rows: rows))
        let form = UpdateForm(slots: slots, isAnyVersion: false, sources: sources, statement: statement)
        latestTogether = form
        return form
    }

    // MARK: Values

    /// Binds a value whose text stays in memory of the writer until the statement has run.
    @inline(__always)
    private func bind(_ value: RowValue, _ source: (slot: Int, part: Part), _ statement: Statement, _ mark: Int) throws
    {
        switch value {
        case .integer(let integer): try statement.bind(mark, integer)
        case .null: try statement.bindNull(mark)
        case .string(let string):
            if let bytes = texts.place(string) {
                try statement.bind(mark, placed: bytes)
            } else {
                try statement.bind(mark, string)
            }
        default: try bind(value, source.slot, source.part, statement, mark)
        }
    }
}
