// The visible state of an object and its context at one point of the object's life, as a table row. Used by
// ObjectStates.
import Foundation
import ManagedGraph

/// A table of states: actual and expected rows, printed side by side.
struct ObjectStateTable {
    /// One state.
    ///
    /// The flags are letters: i inserted, u updated, d deleted, f fault, h has changes, p has persistent changed
    /// values, c has a context, t has a temporary identifier. `sets` names the context's sets that contain the object:
    /// I inserted, U updated, D deleted, R registered; + is a context with changes.
    struct Row: Equatable {
        let state: String
        let flags: String
        let changed: String
        let event: String
        let committed: String
        let sets: String

        init(_ state: String, _ flags: String, _ changed: String, _ event: String, _ committed: String, _ sets: String)
        {
            self.state = state
            self.flags = flags
            self.changed = changed
            self.event = event
            self.committed = committed
            self.sets = sets
        }

        var cells: [String] { [state, flags, changed, event, committed, sets] }
    }

    private(set) var actual: [Row] = []

    /// Adds the object's current state; `context` is its current or former context.
    mutating func note(_ state: String, _ object: NSManagedObject, _ context: NSManagedObjectContext?) {
        var flags = ""
        if object.isInserted { flags += "i" }
        if object.isUpdated { flags += "u" }
        if object.isDeleted { flags += "d" }
        if object.isFault { flags += "f" }
        if object.isFault != (object.faultingState != 0) { flags += "!" }
        if object.hasChanges { flags += "h" }
        if object.hasPersistentChangedValues { flags += "p" }
        if object.managedObjectContext != nil { flags += "c" }
        if object.objectID.isTemporaryID { flags += "t" }
        var sets = ""
        if let context {
            if context.insertedObjects.contains(object) { sets += "I" }
            if context.updatedObjects.contains(object) { sets += "U" }
            if context.deletedObjects.contains(object) { sets += "D" }
            if context.registeredObjects.contains(object) { sets += "R" }
            if context.hasChanges { sets += "+" }
        }
        let changed = object.changedValues().keys.sorted().joined(separator: ",")
        let event = object.changedValuesForCurrentEvent().keys.sorted().joined(separator: ",")
        // Last, because it fires a fault.
        let name = object.committedValues(forKeys: ["name"])["name"]
        let committed = name.map { $0 is NSNull ? "nil" : "\($0)" } ?? "none"
        actual.append(Row(state, flags, changed, event, committed, sets))
    }

    /// The differing rows as a table; nil if all rows match.
    func difference(from expected: [Row]) -> String? {
        guard actual != expected else { return nil }
        var lines: [[String]] = [["", "state", "flags", "changed", "event", "committed", "sets"]]
        for index in 0..<max(actual.count, expected.count) {
            let actualRow = index < actual.count ? actual[index] : nil
            let expectedRow = index < expected.count ? expected[index] : nil
            if actualRow == expectedRow, let actualRow {
                lines.append([""] + actualRow.cells)
            } else {
                if let actualRow { lines.append(["found"] + actualRow.cells) }
                if let expectedRow { lines.append(["expected"] + expectedRow.cells) }
            }
        }
        let widths = (0..<7).map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: " | ")
        }.joined(separator: "\n")
    }
}
