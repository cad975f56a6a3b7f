// The members of a to-many relationship as they were last read, with the changes since, so that a program that reads a
// relationship after each change pays for the change, not for all members. Part of ToManyState.
import Foundation

/// Members that stay in memory as long as the owner of their relationship does and is not a fault.
struct HeldMembers {
    /// A change of one member since the members were read.
    enum Change {
        /// One more, behind the others.
        case added(NSManagedObject)
        case removed(NSManagedObject)
    }

    /// The members as they were last read or brought up to date.
    private(set) var members: [NSManagedObject] = []
    /// The changes since.
    private var changes: [Change] = []
    /// The revision of the relationship that `members` shows.
    var revision: UInt = 0
    /// How many objects had left the registry by then: another object may stand for the row of one that has left.
    private var departures: UInt = 0
    /// Foundation's collection of `members`, if one was asked for; making one costs ten times more than comparing members.
    private(set) var shown: NSObject?
    /// The mutable view of an ordered relationship that was used last, while no caller has it.
    var view: OrderedRelationship?
    /// The number of members that were taken one by one so far, for tests of costs.
    private(set) var steps = 0

    var isEmpty: Bool { members.isEmpty && view == nil }

    /// The collection, unless a caller has added members to it or removed some, which changes no relationship.
    var intact: NSObject? {
        let count = (shown as? NSMutableSet)?.count ?? (shown as? NSMutableOrderedSet)?.count
        return count == members.count ? shown : nil
    }

    /// Notes a change that made `newRevision` of the revision before.
    @inline(__always)
    mutating func note(_ change: Change, _ newRevision: UInt) {
        guard !members.isEmpty, revision &+ UInt(changes.count) &+ 1 == newRevision else { return }
        // Reading all members again costs no more then.
        if changes.count < members.count { changes.append(change) } else { changes = [] }
    }

    /// The members at a revision, if the changes that led to it are known; O(changes), or O(members) if one was removed.
    mutating func members(at newRevision: UInt, departures: UInt) -> [NSManagedObject]? {
        guard self.departures == departures, catchUp(newRevision) else { return nil }
        return members
    }

    /// Makes the changes that led to a revision; returns false if they are not known.
    mutating func catchUp(_ newRevision: UInt) -> Bool {
        guard !members.isEmpty, revision &+ UInt(changes.count) == newRevision else { return false }
        if !changes.isEmpty { apply() }
        revision = newRevision
        return true
    }

    private mutating func apply() {
        // A set that a caller still has shows the members as they were; one that a caller has changed shows others.
        if !isKnownUniquelyReferenced(&shown) || intact == nil { shown = nil }
        steps += changes.count
        let removals = changes.count { if case .removed = $0 { true } else { false } }
        if removals <= Self.removedOneByOne {
            for change in changes { make(change) }
        } else {
            makeTogether()
        }
        changes = []
    }

    /// Up to so many members, or keys of members, are looked for one by one: hashing all takes as long as a dozen.
    static var removedOneByOne: Int { 8 }

    private mutating func make(_ change: Change) {
        switch change {
        case .added(let object):
            members.append(object)
            switch shown {
            case let set as OrderedMemberSet: set.append(object)
            case let set as NSMutableSet: set.add(object)
            default: break
            }
        case .removed(let object):
            guard let place = members.firstPlaceUncounted(of: object) else { return }
            members.remove(at: place)
            switch shown {
            case let set as OrderedMemberSet: if !set.remove(object, at: place) { shown = nil }
            case let set as NSMutableSet: set.remove(object)
            default: break
            }
        }
    }

    private mutating func makeTogether() {
        var removed: Set<ObjectIdentifier> = []
        for change in changes {
            switch change {
            case .added(let object):
                if removed.remove(ObjectIdentifier(object)) != nil { members.removeAll { $0 === object } }
                members.append(object)
            case .removed(let object): removed.insert(ObjectIdentifier(object))
            }
        }
        if !removed.isEmpty { members.removeAll { removed.contains(ObjectIdentifier($0)) } }
        guard let set = shown as? NSMutableSet else { return shown = nil }
        for change in changes {
            switch change {
            case .added(let object): set.add(object)
            case .removed(let object): set.remove(object)
            }
        }
    }

    /// Holds members that were just read; a collection that shows the same ones stays.
    mutating func hold(_ newMembers: [NSManagedObject], _ newRevision: UInt, departures newDepartures: UInt) {
        changes = []
        if !isHolding(newMembers) {
            members = newMembers
            shown = nil
        }
        steps += newMembers.count
        revision = newRevision
        departures = newDepartures
    }

    /// Whether exactly these members are held.
    func isHolding(_ other: [NSManagedObject]) -> Bool {
        changes.isEmpty && members.count == other.count
            && (isSameArray(other) || members.elementsEqual(other, by: ===))
    }

    private func isSameArray(_ other: [NSManagedObject]) -> Bool {
        members.withUnsafeBufferPointer { held in
            other.withUnsafeBufferPointer { $0.baseAddress == held.baseAddress }
        }
    }

    mutating func show(_ collection: NSObject) {
        steps += members.count
        shown = collection
    }

    /// Releases the objects of changes that were not made; the members must be read again then.
    mutating func forgetChanges() {
        if !changes.isEmpty { changes = [] }
    }

    mutating func drop() {
        members = []
        changes = []
        shown = nil
        view = nil
    }
}

extension ToManyState {
    /// The members if they were read and all changes since are known; nil if they must be put together from keys.
    func heldNow(in registry: ObjectRegistry) -> [NSManagedObject]? {
        guard isKnown else { return nil }
        return held.members(at: revision, departures: registry.departures)
    }

    func hold(_ members: [NSManagedObject], in registry: ObjectRegistry) {
        held.hold(members, revision, departures: registry.departures)
    }

    /// Whether exactly these members are held.
    func isHolding(_ members: [NSManagedObject]) -> Bool { held.isHolding(members) }
}
