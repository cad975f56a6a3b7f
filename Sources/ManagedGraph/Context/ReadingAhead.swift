// The state of a context with a faultingPolicy other than `allow` between two reads: members of to-many relationships
// that were read for many owners together, until each owner requests them; and the faults of `object(with:)`. Owned by
// the context, used on its queue.
import GraphEngine

/// Members that were read before they are requested.
final class ReadingAhead {
    private struct Place: Hashable {
        let owner: StoreKey
        let name: String
    }

    private struct StoreKey: Hashable {
        let store: Int32
        let tree: Int
        let primaryKey: Int64

        init(_ object: NSManagedObject) {
            store = object.key.store
            tree = object.layout.tree.index
            primaryKey = object.key.primaryKey
        }
    }

    /// The members of one owner: a range of the rows that were read together.
    struct Members {
        let portion: Portion
        let rows: Range<Int>
    }

    /// The result of one read.
    final class Portion {
        let batch: RowBatch
        let page: SiblingPage
        let walk: FaultWalk
        /// The time just before the read.
        let readAt: Moment
        /// The generation that the context was pinned to.
        let generation: NSQueryGenerationToken?
        let owners: Int
        var used = 0
        /// The members' objects, row by row, once the objects of one owner were requested.
        var objects: [NSManagedObject] = []

        init(
            batch: RowBatch,
            page: SiblingPage,
            walk: FaultWalk,
            readAt: Moment,
            generation: NSQueryGenerationToken?,
            owners: Int
        ) {
            self.batch = batch
            self.page = page
            self.walk = walk
            self.readAt = readAt
            self.generation = generation
            self.owners = owners
        }
    }

    private var members: [Place: Members] = [:]
    /// The maximum number of owners, enough for several relationships that are read in turns; above it, all members are
    /// dropped, because those of abandoned walks are among them.
    private static let limit = 16 * FaultPage.limit
    /// Faults created by `object(with:)` in this turn, by store and tree.
    private var loosePages: [StoreTree: SiblingPage] = [:]
    private var looseOrigin: FaultOrigin?

    private struct StoreTree: Hashable {
        let store: Int32
        let tree: Int
    }

    // MARK: Members

    /// Stores the result of one read: the rows of each owner.
    func enter(_ portion: Portion, _ owners: [NSManagedObject], _ rows: [Int64: Range<Int>]) {
        if members.count + owners.count > Self.limit { drop() }
        for owner in owners {
            let rows = rows[owner.key.primaryKey] ?? 0..<0
            members[Place(owner: StoreKey(owner), name: portion.walk.name)] = Members(portion: portion, rows: rows)
        }
    }

    /// The members of an owner, if they were read and a new read would return the same.
    func members(of owner: NSManagedObject, _ name: String, in context: NSManagedObjectContext) -> Members? {
        guard let entry = members[Place(owner: StoreKey(owner), name: name)] else { return nil }
        guard entry.portion.isValid(in: context, store: owner.key.store) else {
            drop()
            return nil
        }
        return entry
    }

    func holds(_ owner: NSManagedObject, _ name: String) -> Bool {
        members[Place(owner: StoreKey(owner), name: name)] != nil
    }

    /// Removes the members of an owner, whose objects are being created.
    func take(_ entry: Members, of owner: NSManagedObject, _ name: String) {
        members[Place(owner: StoreKey(owner), name: name)] = nil
        entry.portion.used += 1
    }

    /// Drops all members: a new read would return others, or the turn has ended.
    func drop() {
        guard !members.isEmpty else { return }
        var seen: Set<ObjectIdentifier> = []
        for entry in members.values where seen.insert(ObjectIdentifier(entry.portion)).inserted {
            if entry.portion.used < entry.portion.owners / 2 { entry.portion.walk.backOff() }
        }
        members = [:]
    }

    // MARK: Faults without a fetch

    /// Gives a fault of `object(with:)` a page shared with those of the same turn.
    func enter(loose object: NSManagedObject, at caller: @autoclosure () -> CallPlace?) {
        let place = StoreTree(store: object.key.store, tree: object.layout.tree.index)
        if let page = loosePages[place], !page.hasFired {
            page.append(object.key.primaryKey)
            object.page = page
            return
        }
        let origin = looseOrigin ?? FaultOrigin(FaultSource.identifiers(at: caller()))
        looseOrigin = origin
        let page = SiblingPage(
            keys: [object.key.primaryKey],
            layout: object.layout,
            store: object.key.store,
            origin: origin
        )
        loosePages[place] = page
        object.page = page
    }

    /// Discards everything at the end of a turn or an event.
    func endTurn() {
        drop()
        forgetLooseFaults()
    }

    func forgetLooseFaults() {
        loosePages = [:]
        looseOrigin = nil
    }
}

extension ReadingAhead.Portion {
    /// Whether a new read would return the same, judging by the coordinator's saves.
    fileprivate func isValid(in context: NSManagedObjectContext, store: Int32) -> Bool {
        guard generation === context.generation else { return false }
        // In a turn with a snapshot, later saves do not matter; the end of the snapshot drops the members.
        if generation != nil || context.snapshotBegan(store) != nil { return true }
        return context.registry.coordinator?.savedRows.hasSaves(since: readAt) != true
    }
}

extension FaultSource {
    /// Objects that a program requests by their identifiers.
    fileprivate static func identifiers(at place: CallPlace?) -> FaultSource {
        FaultSource(
            .identifiers,
            place: place,
            cureOfValues: "fetch them with one request and the predicate \"self IN %@\""
        )
    }
}
