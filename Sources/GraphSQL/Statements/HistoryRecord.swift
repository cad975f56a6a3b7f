// The changes of one transaction for the persistent history: recorded as rows are written, one change for each row.
// Owned by an engine's writer, which stores them at the end of the same transaction.
import GraphEngine

/// The changes of one transaction.
package struct HistoryRecord {
    /// The row of a change.
    package struct Row: Hashable {
        package var entity: Int64
        package var primaryKey: Int64

        static func < (lhs: Row, rhs: Row) -> Bool {
            lhs.entity == rhs.entity ? lhs.primaryKey < rhs.primaryKey : lhs.entity < rhs.entity
        }
    }

    /// The change of one row.
    package struct Change {
        /// 0 for an insert, 1 for an update, 2 for a deletion.
        package var type: Int64
        package var row: Row
        /// The numbers of the changed properties.
        package var columns = SlotSet()
        /// Preserved values of a deleted row, by column number.
        package var tombstone: [Int: SQLValue]?
    }

    package private(set) var changes: [Change] = []
    /// The indexes of rows among the first `placed` changes; the others are added on the next lookup.
    private var places: [Row: Int] = [:]
    private var placed = 0
    /// The last row in the order of entities and keys: one after it has no change yet, which most rows are not looked up
    /// to find out, because they are written in this order.
    private var last: Row?
    /// The most recent conversion of slots to numbers.
    private var latestNumbers: (layout: EntityLayout?, slots: SlotSet, numbers: SlotSet) = (nil, SlotSet(), SlotSet())

    package init() {}

    package mutating func inserted(_ entity: Int64, _ primaryKey: Int64) {
        append(Change(type: 0, row: Row(entity: entity, primaryKey: primaryKey)))
    }

    /// Records changed properties; skips rows inserted in the same save.
    package mutating func updated(_ entity: Int64, _ primaryKey: Int64, _ columns: SlotSet) {
        let row = Row(entity: entity, primaryKey: primaryKey)
        guard let place = place(of: row) else { return append(Change(type: 1, row: row, columns: columns)) }
        if changes[place].type == 1 { changes[place].columns.formUnion(columns) }
    }

    package mutating func deleted(_ entity: Int64, _ primaryKey: Int64, _ tombstone: [Int: SQLValue]) {
        let row = Row(entity: entity, primaryKey: primaryKey)
        let change = Change(type: 2, row: row, tombstone: tombstone.isEmpty ? nil : tombstone)
        if let place = place(of: row) {
            changes[place] = change
        } else {
            append(change)
        }
    }

    private mutating func append(_ change: Change) {
        changes.append(change)
        if let last, !(last < change.row) { return }
        last = change.row
    }

    /// The indexes of changes that belong together: inserted rows of an entity with successive keys, and each other change
    /// by itself.
    package var runs: [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for place in changes.indices.dropFirst() where !follows(place) {
            runs.append(start..<place)
            start = place
        }
        if !changes.isEmpty { runs.append(start..<changes.count) }
        return runs
    }

    /// Whether a change inserts the row after the one that the change before it inserts.
    private func follows(_ place: Int) -> Bool {
        let (change, former) = (changes[place], changes[place - 1])
        return change.type == 0 && former.type == 0 && change.row.entity == former.row.entity
            && change.row.primaryKey == former.row.primaryKey + 1
    }

    /// The history numbers of slots, as used in the bits of changed columns.
    package mutating func numbers(_ layout: EntityLayout, _ slots: SlotSet) -> SlotSet {
        if latestNumbers.layout === layout, latestNumbers.slots == slots { return latestNumbers.numbers }
        var result = SlotSet()
        slots.forEach { slot in if let number = layout.historyNumbers[slot] { result.insert(number) } }
        latestNumbers = (layout, slots, result)
        return result
    }

    /// Forgets the changes of rows that were recorded after the first `count`, as their statements were rolled back.
    ///
    /// Properties that were added to an earlier change of the same row stay.
    package mutating func removeChanges(after count: Int) {
        guard count < changes.count else { return }
        if count < placed {
            for place in count..<placed { places[changes[place].row] = nil }
            placed = count
        }
        changes.removeSubrange(count...)
    }

    /// Forgets all changes.
    package mutating func removeAll() {
        changes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        placed = 0
        last = nil
    }

    private mutating func place(of row: Row) -> Int? {
        guard let last, !(last < row) else { return nil }
        for place in placed..<changes.count { places[changes[place].row] = place }
        placed = changes.count
        return places[row]
    }
}
