// What a context with a faultingPolicy other than `allow` has in hand between two reads: members of to-many relationships
// that were read for many owners together, until each owner is asked for them; and the faults of `object(with:)`. Owned by the
// context, used on its queue.
import GraphEngine

/// Members that were read before they are asked for.
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

    /// The members of one owner: some rows of those that were read together.
    struct Members {
        let portion: Portion
        let rows: Range<Int>
    }

    /// What one reading has brought.
    final class Portion {
        let batch: RowBatch
        let page: SiblingPage
        let walk: FaultWalk
        /// Before the reading began.
        let readAt: ContinuousClock.Instant
        /// What the context was pinned to.
        let generation: NSQueryGenerationToken?
        let owners: Int
        var used = 0
        /// The members' objects, row by row, once one owner was asked for its objects.
        var objects: [NSManagedObject] = []

        init(
            batch: RowBatch,
            page: SiblingPage,
            walk: FaultWalk,
            readAt: ContinuousClock.Instant,
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
    /// Owners whose members are kept at most, enough for several relationships that are read in turns; above it all are dropped,
    /// as those of walks that were given up are among them.
    private static let limit = 16 * FaultPage.limit
    /// Faults that `object(with:)` made in this turn, by store and tree.
    private var loosePages: [StoreTree: SiblingPage] = [:]
    private var looseOrigin: FaultOrigin?

    private struct StoreTree: Hashable {
        let store: Int32
        let tree: Int
    }

    // MARK: Members

    /// Enters what one reading has brought: the rows of each owner.
    func enter(_ portion: Portion, _ owners: [NSManagedObject], _ rows: [Int64: Range<Int>]) {
        if members.count + owners.count > Self.limit { drop() }
        for owner in owners {
            let rows = rows[owner.key.primaryKey] ?? 0..<0
            members[Place(owner: StoreKey(owner), name: portion.walk.name)] = Members(portion: portion, rows: rows)
        }
    }

    /// The members of an owner, if they were read and are what a reading would bring now.
    func members(of owner: NSManagedObject, _ name: String, in context: NSManagedObjectContext) -> Members? {
        guard let found = members[Place(owner: StoreKey(owner), name: name)] else { return nil }
        guard found.portion.isValid(in: context, store: owner.key.store) else {
            drop()
            return nil
        }
        return found
    }

    func holds(_ owner: NSManagedObject, _ name: String) -> Bool {
        members[Place(owner: StoreKey(owner), name: name)] != nil
    }

    /// Takes out the members of an owner, of which objects are made now.
    func take(_ found: Members, of owner: NSManagedObject, _ name: String) {
        members[Place(owner: StoreKey(owner), name: name)] = nil
        found.portion.used += 1
    }

    /// Forgets all members: a reading would bring others now, or in another turn.
    func drop() {
        guard !members.isEmpty else { return }
        var seen: Set<ObjectIdentifier> = []
        for entry in members.values where seen.insert(ObjectIdentifier(entry.portion)).inserted {
            if entry.portion.used < entry.portion.owners / 2 { entry.portion.walk.backOff() }
        }
        members = [:]
    }

    // MARK: Faults without a fetch

    /// Gives a fault of `object(with:)` a page in common with those of the same turn.
    func enter(loose object: NSManagedObject) {
        let place = StoreTree(store: object.key.store, tree: object.layout.tree.index)
        if let page = loosePages[place], !page.hasFired {
            page.append(object.key.primaryKey)
            object.page = page
            return
        }
        let origin = looseOrigin ?? FaultOrigin(FaultSource.identifiers())
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

    /// Begins anew, as a turn or an event has ended.
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
    /// Whether a reading would bring the same now, as far as the coordinator knows.
    fileprivate func isValid(in context: NSManagedObjectContext, store: Int32) -> Bool {
        guard generation === context.generation else { return false }
        // Within a turn that reads from a snapshot later saves do not count; the end of the snapshot drops the members.
        if generation != nil || context.snapshotBegan(store) != nil { return true }
        return context.registry.coordinator?.savedRows.hasSaves(since: readAt) != true
    }
}

extension FaultSource {
    /// Objects that a program asks for by their identifiers.
    fileprivate static func identifiers() -> FaultSource {
        FaultSource(
            .identifiers,
            place: .capture(),
            cureOfValues: "fetch them with one request and the predicate \"self IN %@\""
        )
    }
}
