// One object of a context as the plain model holds it.
import Foundation

/// What a context knows of an object, and what was changed in it.
final class PlainObject {
    let serial: Int
    let entity: String
    /// As last read or saved; nil for a new object, or one that was not read yet.
    var committed: TwinRow?
    var current: TwinRow
    /// Whether the values have been read; until then any reading gives what the source has.
    var isRead: Bool
    var isInserted = false
    var isDeleted = false
    var isPendingDelete = false
    /// The row was gone when it was to be read.
    var isInaccessible = false
    /// Properties set since the last reading or save.
    var touched: Set<String> = []
    /// What a property set to its committed value may be after a merge: nobody says whether that was a change.
    var alternatives: [String: PlainValue] = [:]
    var oneAlternatives: [String: Int?] = [:]
    /// Whether the framework counts the object as updated; known where it was looked at.
    var isUpdated = false

    /// A new object.
    init(inserted serial: Int, entity: String) {
        self.serial = serial
        self.entity = entity
        current = TwinRow(entity: entity)
        current.values = ["count": .number(0)]
        if WalkSchema.attributes[entity]?.contains("count") != true { current.values = [:] }
        isRead = true
        isInserted = true
    }

    /// An object that was heard of.
    init(unread serial: Int, entity: String) {
        self.serial = serial
        self.entity = entity
        current = TwinRow(entity: entity)
        isRead = false
    }

    var relationships: [WalkRelationship] { WalkSchema.relationships(entity) }
    var isLive: Bool { !isDeleted && !isInaccessible }
    var hasChanges: Bool { isInserted || isDeleted || !touched.isEmpty }

    /// Takes on a row; nil where there is none.
    func read(_ row: TwinRow?) {
        isRead = true
        committed = row
        alternatives = [:]
        oneAlternatives = [:]
        guard let row else {
            // What was set here may be seen still.
            alternatives = current.values.filter { touched.contains($0.key) }
            current = TwinRow(entity: entity)
            touched = []
            isInaccessible = true
            return
        }
        isInaccessible = false
        current = row
    }

    /// Forgets everything that was read or set.
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

    /// What was set is what is committed.
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
