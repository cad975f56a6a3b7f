// One object of a context in the plain model.
import Foundation

/// A context's state of an object, with its changes.
final class PlainObject {
    let serial: Int
    let entity: String
    /// The last read or saved values; nil for a new or unread object.
    var committed: TwinRow?
    var current: TwinRow
    /// Whether the values have been read; until then, a read returns the source's values.
    var isRead: Bool
    var isInserted = false
    var isDeleted = false
    var isPendingDelete = false
    /// Whether the row was missing when it was read.
    var isInaccessible = false
    /// Properties set since the last read or save.
    var touched: Set<String> = []
    /// The other allowed values, after a merge, of properties set to their committed values: no rule defines whether
    /// that is a change.
    var alternatives: [String: PlainValue] = [:]
    var oneAlternatives: [String: Int?] = [:]
    /// Whether the framework counts the object as updated; set when the object is compared.
    var isUpdated = false

    /// Creates a new object.
    init(inserted serial: Int, entity: String) {
        self.serial = serial
        self.entity = entity
        current = TwinRow(entity: entity)
        current.values = ["count": .number(0)]
        if WalkSchema.attributes[entity]?.contains("count") != true { current.values = [:] }
        isRead = true
        isInserted = true
    }

    /// Creates an unread object.
    init(unread serial: Int, entity: String) {
        self.serial = serial
        self.entity = entity
        current = TwinRow(entity: entity)
        isRead = false
    }

    var relationships: [WalkRelationship] { WalkSchema.relationships(entity) }
    var isLive: Bool { !isDeleted && !isInaccessible }
    var hasChanges: Bool { isInserted || isDeleted || !touched.isEmpty }

    /// Reads a row; nil if it does not exist.
    func read(_ row: TwinRow?) {
        isRead = true
        committed = row
        alternatives = [:]
        oneAlternatives = [:]
        guard let row else {
            // The values that were set here may still be visible.
            alternatives = current.values.filter { touched.contains($0.key) }
            current = TwinRow(entity: entity)
            touched = []
            isInaccessible = true
            return
        }
        isInaccessible = false
        current = row
    }

    /// Discards all values and changes.
    func makeFault() {
        isRead = false
        committed = nil
        current = TwinRow(entity: entity)
        touched = []
        alternatives = [:]
        oneAlternatives = [:]
        isDeleted = false
        isPendingDelete = false
        isInaccessible = false
        isUpdated = false
    }

    func committedMembers(_ relationship: String) -> [Int] { committed?.many[relationship] ?? [] }
    func members(_ relationship: String) -> [Int] { current.many[relationship] ?? [] }

    func added(_ relationship: String) -> [Int] {
        let before = Set(committedMembers(relationship))
        return members(relationship).filter { !before.contains($0) }
    }

    func removed(_ relationship: String) -> [Int] {
        let now = Set(members(relationship))
        return committedMembers(relationship).filter { !now.contains($0) }
    }

    /// Attributes and to-one relationships whose values differ from the committed ones.
    var changedColumns: Set<String> {
        guard let committed else { return touched }
        return touched.filter { key in
            guard let relationship = WalkSchema.relationship(entity, key) else {
                return current.values[key] ?? .null != committed.values[key] ?? .null
            }
            return !relationship.isToMany && current.one[key] != committed.one[key]
        }
    }

    /// To-many relationships whose members, or their order, differ from the committed ones.
    var changedMembers: Set<String> {
        touched.filter { key in
            guard let relationship = WalkSchema.relationship(entity, key), relationship.isToMany else { return false }
            if relationship.isOrdered, members(key) != committedMembers(key) { return true }
            return Set(members(key)) != Set(committedMembers(key))
        }
    }

    /// Makes the current values the committed ones.
    func commit(version: Int) {
        var row = current
        row.version = version
        committed = row
        current = row
        touched = []
        alternatives = [:]
        oneAlternatives = [:]
        isInserted = false
        isUpdated = false
    }
}
