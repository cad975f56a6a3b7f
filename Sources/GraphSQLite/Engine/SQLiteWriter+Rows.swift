// Writes the rows and relationships of a save. The order of the steps in `write` matters.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteWriter {
    package func reserveKeys(tree: TreeLayout, count: Int) throws -> [ClosedRange<Int64>] {
        try engine.mapErrors {
            let root = engine.schema.entities[tree.rootName]
            let table = treesWithKnownKeys.contains(tree.index) ? nil : root?.tableName
            let keys = try StoreFile.reserveKeys(
                count,
                rootEntity: root?.number ?? 0,
                above: table,
                in: connection
            )
            treesWithKnownKeys.insert(tree.index)
            return [keys]
        }
    }

    package func write(_ changes: StoreChanges) throws -> StoreOutcome {
        try engine.mapErrors {
            var outcome = StoreOutcome()
            // Delete first: the unique values of deleted rows are then free for the following rows.
            try delete(changes, &outcome)
            if changes.freesUniqueValues {
                for operation in changes.updates {
                    try writer(operation.layout).freeUniqueValues(operation, connection)
                }
            }
            try update(changes, &outcome)
            for operation in changes.checks {
                let storedVersion = try writer(operation.layout).version(operation.primaryKey, connection)
                if storedVersion != operation.version { outcome.conflicts.append(operation) }
            }
            try insert(changes.inserts, connection)
            if history != nil { note(changes) }
            // The greatest numbers that this save has given to pairs.
            var lastOrders: [OrderEnd: Int64] = [:]
            for operation in changes.joins where !operation.isInsert {
                try write(operation, &lastOrders, connection)
            }
            try insertPairs(changes.joins, &lastOrders)
            for operation in changes.releases { try write(operation, connection) }
            for operation in changes.owners { try write(operation, connection) }
            for operation in changes.orders { try write(operation) }
            for (end, last) in lastOrders { orderBounds.note(max(last, orderBounds[end] ?? last), at: end) }
            rowsWritten.add(changes.rowCount - outcome.conflicts.count, ordering: .relaxed)
            return outcome
        }
    }

    /// Deletes rows; if allowed, adjacent ones of one entity and one version with one statement.
    private func delete(_ changes: StoreChanges, _ outcome: inout StoreOutcome) throws {
        var rest = changes.deletes[...]
        while let first = rest.first {
            // By address: iteration would copy each operation.
            var run = rest.withUnsafeBufferPointer { rows in
                rest.prefix(
                    rows.indices.first { rows[$0].layout !== first.layout || rows[$0].version != first.version }
                        ?? rows.count
                )
            }
            rest = rest.dropFirst(run.count)
            let writer = try writer(first.layout)
            if history != nil { for operation in run { try noteDeletion(operation.layout, operation.primaryKey) } }
            if changes.writesTogether, run.count >= RowWriter.deletedTogether {
                let keys = run.withUnsafeBufferPointer { rows in rows.indices.map { rows[$0].primaryKey } }
                try deleteJoins(of: keys, first.layout, connection)
                try releaseMembers(of: keys, first.layout, connection)
                if try !writer.delete(keys, version: first.version, connection) { outcome.hasUnknownConflicts = true }
                run = []
            }
            for operation in run {
                try deleteJoins(of: operation, connection)
                try releaseMembers(of: [operation.primaryKey], operation.layout, connection)
                if try !writer.delete(operation, connection) { outcome.conflicts.append(operation) }
            }
        }
    }

    /// Updates rows; if allowed, some that have the same columns and versions with one statement.
    private func update(_ changes: StoreChanges, _ outcome: inout StoreOutcome) throws {
        let isTogether =
            changes.writesTogether && !changes.freesUniqueValues && changes.updates.count >= RowWriter.leastTogether
        // By address: iteration would copy each operation.
        try changes.updates.withUnsafeBufferPointer { updates in
            guard let first = updates.baseAddress else { return }
            var next = 0
            while next < updates.count {
                let writer = try writer(updates[next].layout)
                let count = isTogether ? writer.countUpdatedTogether(updates, from: next) : 1
                if count > 1 {
                    if try !writer.update(updates, next..<next + count, connection) {
                        outcome.hasUnknownConflicts = true
                    }
                } else if try !writer.update(first + next, connection) {
                    outcome.conflicts.append(updates[next])
                }
                if history != nil {
                    for place in next..<next + count {
                        noteUpdate(updates[place].layout, updates[place].primaryKey, updates[place].slots)
                    }
                }
                next += count
            }
        }
    }

    /// Inserts rows; rows of the same entity are adjacent.
    private func insert(_ inserts: [RowOperation], _ connection: Connection) throws {
        var rest = inserts[...]
        while let first = rest.first {
            // By address: iteration would copy each operation.
            let run = rest.withUnsafeBufferPointer { rows in
                rest.prefix(rows.indices.first { rows[$0].layout !== first.layout } ?? rows.count)
            }
            rest = rest.dropFirst(run.count)
            let writer = try writer(first.layout)
            if run.count >= Self.appendedRun, try writer.isAppending(run, connection) {
                try writer.insert(run, areAppended: true, connection)
                guard connection.lastInsertRowID == run[run.endIndex - 1].primaryKey else {
                    throw EngineError(
                        .unsaved,
                        "New rows of \(first.layout.name) have got other keys than they were given.",
                        remedy: "Check the store: a trigger of it may insert rows into the same table."
                    )
                }
            } else {
                try writer.insert(run, areAppended: false, connection)
            }
        }
    }

    /// The minimum number of new rows for which it pays to query the last row of the table.
    private static var appendedRun: Int { 32 }

    /// Records new rows and changed relationships in the history.
    private func note(_ changes: StoreChanges) {
        changes.eachNewOrRelatedRow {
            history?.inserted(engine.entityNumber($0), $1)
        } related: {
            noteUpdate($0, $1, slot: $2)
        }
    }

    package func writer(_ layout: EntityLayout) throws -> RowWriter {
        if let latestWriter, latestWriter.layout === layout { return latestWriter }
        if let writer = writers[layout.index] {
            latestWriter = writer
            return writer
        }
        guard let statements = RowStatements(schema: engine.schema, entityName: layout.name),
            let entity = engine.schema.entities[layout.name]
        else {
            throw EngineError(
                .incompatibleSchema,
                "The store does not contain the entity \(layout.name).",
                remedy: "Assign the object to a store whose configuration has the entity."
            )
        }
        let writer = RowWriter(statements: statements, entity: entity, layout: layout, writer: self)
        writers[layout.index] = writer
        latestWriter = writer
        return writer
    }

    // MARK: Relationship tables

    private func write(_ operation: OwnerOperation, _ connection: Connection) throws {
        guard let inverse = engine.ownerColumn(operation.layout, operation.slot) else { return }
        let table = inverse.destinationTable.sqliteName
        if let source = operation.source {
            try connection.run(
                "UPDATE \(table) SET \(inverse.column.sqliteName) = ? WHERE Z_PK = ?",
                [.integer(source), .integer(operation.member)]
            )
        } else {
            // Releases are written first: another owner may take the member in the same save.
            try connection.run(
                "UPDATE \(table) SET \(inverse.column.sqliteName) = NULL WHERE Z_PK = ?",
                [.integer(operation.member)]
            )
        }
    }

    /// Inserts pairs; many of one relationship, unless it is ordered, several with one statement.
    private func insertPairs(_ joins: [JoinOperation], _ lastOrders: inout [OrderEnd: Int64]) throws {
        var rest = joins[...]
        while let first = rest.first {
            let run = rest.prefix {
                $0.isInsert == first.isInsert && $0.slot == first.slot && $0.layout === first.layout
            }
            rest = rest.dropFirst(run.count)
            guard first.isInsert, let form = try joinForm(first, connection) else { continue }
            var single = run
            if run.count >= RowWriter.leastTogether, form.join.orderColumn == nil, form.join.inverseOrderColumn == nil {
                single = try insertTogether(run, form)
            }
            for operation in single { try write(operation, &lastOrders, connection) }
        }
    }

    /// Inserts pairs with statements of several; returns those that are left.
    private func insertTogether(_ pairs: ArraySlice<JoinOperation>, _ form: JoinForm) throws -> ArraySlice<
        JoinOperation
    > {
        // The text of one pair ends with its marks.
        let others = String(repeating: ", (?, ?)", count: RowWriter.mostTogether - 1)
        let statement = try connection.prepare(form.statement.text + others)
        let count = pairs.count / RowWriter.mostTogether * RowWriter.mostTogether
        var mark = 1
        for pair in pairs.prefix(count) {
            try statement.bind(mark, pair.source)
            try statement.bind(mark + 1, pair.destination)
            mark += 2
            guard mark > statement.bindingCount else { continue }
            try statement.run()
            mark = 1
        }
        return pairs.dropFirst(count)
    }

    private func write(
        _ operation: JoinOperation,
        _ lastOrders: inout [OrderEnd: Int64],
        _ connection: Connection
    ) throws {
        guard let form = try joinForm(operation, connection) else { return }
        let (join, statement) = (form.join, form.statement)
        try statement.bind(1, operation.source)
        try statement.bind(2, operation.destination)
        if operation.isInsert {
            var mark = 3
            // A new pair goes to the end on either side until that side's own order is written.
            for (order, column, owner) in [
                (join.orderColumn, join.ownColumn, operation.source),
                (join.inverseOrderColumn, join.otherColumn, operation.destination),
            ] {
                guard let order else { continue }
                let end = OrderEnd(table: join.joinTable, column: column, owner: owner)
                let last = try lastOrders[end] ?? lastOrder(at: end, order)
                let key = OrderKeys.next(after: last)
                lastOrders[end] = key
                try statement.bind(mark, key)
                mark += 1
            }
        }
        try statement.run()
    }

    /// The form for adding or removing pairs of a relationship, cached because pairs of one relationship are adjacent.
    private func joinForm(_ operation: JoinOperation, _ connection: Connection) throws -> JoinForm? {
        if let latestJoin, latestJoin.layout === operation.layout, latestJoin.slot == operation.slot,
            latestJoin.isInsert == operation.isInsert
        {
            return latestJoin
        }
        guard let join = engine.manyToMany(operation.layout, operation.slot) else { return nil }
        let statements = texts.statements(of: join)
        let form = JoinForm(
            layout: operation.layout,
            slot: operation.slot,
            isInsert: operation.isInsert,
            join: join,
            statement: try connection.prepare(operation.isInsert ? statements.insert : statements.delete)
        )
        latestJoin = form
        return form
    }

    private func deleteJoins(of operation: RowOperation, _ connection: Connection) throws {
        for join in joins(of: operation.layout) {
            let statement = try connection.prepare(texts.statements(of: join).deleteAll)
            try statement.bind(1, operation.primaryKey)
            try statement.run()
        }
    }

    private func deleteJoins(of keys: [Int64], _ layout: EntityLayout, _ connection: Connection) throws {
        let joins = joins(of: layout)
        guard !joins.isEmpty else { return }
        let list = SQLiteEngine.list(keys)
        for join in joins {
            for sql in texts.statements(of: join).deleteAllOfMany {
                let statement = try connection.prepare(sql)
                try statement.bind(1, list)
                try statement.run()
            }
        }
    }

    /// Clears the owner of members that deleted rows have by relationships without an inverse.
    private func releaseMembers(
        of keys: @autoclosure () -> [Int64],
        _ layout: EntityLayout,
        _ connection: Connection
    ) throws {
        let texts = releases(of: layout)
        guard !texts.isEmpty else { return }
        let list = SQLiteEngine.list(keys())
        for sql in texts {
            let statement = try connection.prepare(sql)
            try statement.bind(1, list)
            try statement.run()
        }
    }

    /// The statements that clear the owners of an entity's members, by the owners' keys.
    private func releases(of layout: EntityLayout) -> [String] {
        if let cached = releases[layout.index] { return cached }
        let texts = layout.toManySlots.compactMap { engine.ownerColumn(layout, $0) }.map { inverse in
            let columns = [inverse.column, inverse.orderColumn].compactMap { $0?.sqliteName }
            return "UPDATE \(inverse.destinationTable.sqliteName) SET "
                + columns.map { "\($0) = NULL" }.joined(separator: ", ")
                + " WHERE \(columns[0]) IN (SELECT value FROM json_each(?))"
        }
        releases[layout.index] = texts
        return texts
    }

    /// The join tables that can contain rows of an entity.
    private func joins(of layout: EntityLayout) -> [ManyToMany] {
        if let cached = joins[layout.index] { return cached }
        let layoutJoins = layout.toManySlots.compactMap { engine.manyToMany(layout, $0) }
        joins[layout.index] = layoutJoins
        return layoutJoins
    }
}

/// The prepared form for adding or removing pairs of one relationship.
struct JoinForm {
    /// Valid for the life of the process, because layouts are never freed.
    unowned(unsafe) let layout: EntityLayout
    let slot: Int
    let isInsert: Bool
    let join: ManyToMany
    let statement: Statement
}
