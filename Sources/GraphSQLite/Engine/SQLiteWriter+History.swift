// Records a save in the persistent history, and purges old transactions.
import Foundation
import GraphEngine
import GraphSQL

extension SQLiteWriter: HistoryWriteSession {
    /// Records that a row is about to be deleted, with the values that the model preserves.
    func noteDeletion(_ layout: EntityLayout, _ primaryKey: Int64) throws {
        guard let history else { return }
        var tombstone: [Int: SQLValue] = [:]
        let preserved = layout.preservedSlots
        if !preserved.isEmpty, let entity = engine.schema.entities[layout.name] {
            let columns = preserved.map { slot -> String in
                if case .attribute(let attribute)? = entity.properties[layout.properties[slot].name] {
                    return attribute.column.sqliteName
                }
                return "NULL"
            }
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(entity.tableName.sqliteName) WHERE Z_PK = ?"
            let row = try connection.rows(sql, [.integer(primaryKey)]).first ?? []
            for (number, (slot, value)) in zip(preserved, row).enumerated() {
                let value = withoutFile(value, of: layout.properties[slot])
                if value != .null { tombstone[number] = value }
            }
        }
        history.deleted(engine.entityNumber(layout), primaryKey, tombstone)
    }

    /// A value for the history: that of a file, which is removed with its row, follows inline.
    private func withoutFile(_ value: SQLValue, of property: PropertyLayout) -> SQLValue {
        guard property.allowsExternalStorage, case .blob(let stored) = value, let name = LargeValue.name(in: stored)
        else { return value }
        do {
            return try engine.externalData(named: name).map { SQLValue.blob(LargeValue.inline($0)) } ?? .null
        } catch {
            // An object whose file cannot be read must not stay because of that.
            engine.log(.warning, "The history lacks the value of \(property.name) of a deleted object: \(error)")
            return .null
        }
    }

    func noteUpdate(_ layout: EntityLayout, _ primaryKey: Int64, _ slots: SlotSet) {
        guard let history else { return }
        history.updated(engine.entityNumber(layout), primaryKey, history.numbers(layout, slots))
    }

    func noteUpdate(_ layout: EntityLayout, _ primaryKey: Int64, slot: Int) {
        guard history != nil else { return }
        var slots = SlotSet()
        slots.insert(slot)
        noteUpdate(layout, primaryKey, slots)
    }

    /// Deletes old transactions with their changes, and strings that are no longer referenced; in a transaction.
    package func purgeHistory(before number: Int64, date: Date?) throws {
        guard history != nil else { return }
        try engine.mapErrors {
            let condition = "Z_PK < ?" + (date == nil ? "" : " AND ZTIMESTAMP < ?")
            let values = [SQLValue.integer(number)] + (date.map { [.real($0.timeIntervalSinceReferenceDate)] } ?? [])
            try connection.run(
                "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))",
                values
            )
            try connection.run("DELETE FROM ATRANSACTION WHERE \(condition)", values)
            if history?.hasStrings == true {
                try connection.execute(
                    "DELETE FROM ATRANSACTIONSTRING WHERE Z_PK NOT IN (SELECT coalesce(ZAUTHORTS, 0) FROM ATRANSACTION "
                        + "UNION SELECT coalesce(ZBUNDLEIDTS, 0) FROM ATRANSACTION UNION "
                        + "SELECT coalesce(ZCONTEXTNAMETS, 0) FROM ATRANSACTION UNION "
                        + "SELECT coalesce(ZPROCESSIDTS, 0) FROM ATRANSACTION)"
                )
            }
            history?.forget()
        }
    }
}
