// Faults of objects that were fetched or reached together ("siblings" on a page). Each fault that fires is counted for
// the report of row-by-row reads; under the policy `automatic`, the rows of its siblings are read with it. Called by
// fetches and by firing faults, if the context's faultingPolicy is not `allow`.
import Foundation
import GraphEngine

extension NSManagedObjectContext {
    // MARK: Origins

    /// The place of the program's call, under a policy that reports it: reading the stack takes longer than a fetch.
    final var placeForReports: CallPlace? { registry.faultingPolicy.reports ? .capture() : nil }

    /// Records the origin of fetched objects; O(objects).
    @inline(never)
    final func noteOrigin<T>(of objects: [NSManagedObject], fetchedBy request: NSFetchRequest<T>) {
        guard !objects.isEmpty else { return }
        let cure =
            if !request.includesPropertyValues {
                "set includesPropertyValues = true on the request"
            } else if request.propertiesToFetch != nil {
                "name the properties in propertiesToFetch, or leave it nil"
            } else {
                "fetch them again with one request"
            }
        let origin = FaultOrigin(FaultSource(.fetch, place: placeForReports, cureOfValues: cure))
        var batches: [ObjectIdentifier: SiblingPage] = [:]
        var pages: [SiblingPage] = []
        var current: SiblingPage?
        for object in objects where object.key.primaryKey > 0 && !object.state.contains(.gone) {
            if object.isUnread, let page = object.page, page.keys.count > 1, !page.isLoaded {
                // A page of a batched fetch is filled as a whole; a page of a relationship has its own origin.
                guard page.siblings == nil else { continue }
                let batch =
                    batches[ObjectIdentifier(page)]
                    ?? SiblingPage(
                        keys: page.keys,
                        layout: page.layout,
                        store: page.store,
                        origin: origin,
                        isBatch: true
                    )
                batches[ObjectIdentifier(page)] = batch
                object.page = batch
                continue
            }
            if current?.hasRoom(for: object) != true {
                current = pages.first { $0.hasRoom(for: object) }
            }
            let page =
                current ?? SiblingPage(keys: [], layout: object.layout, store: object.key.store, origin: origin)
            if current == nil { pages.append(page) }
            current = page
            page.append(object.key.primaryKey)
            object.page = page
        }
    }

    /// The page of an object; if none was recorded, a new one for all objects of its row batch.
    final func siblings(of object: NSManagedObject) -> SiblingPage? {
        if let page = object.page { return page.siblings }
        guard let batch = object.snapshot, batch.count > 1 else { return nil }
        let source = FaultSource(.unknown, place: nil, cureOfValues: "fetch them again with one request")
        let page = SiblingPage(
            keys: (0..<batch.count).map { batch.integer(TreeLayout.primaryKeyColumn, $0) },
            layout: object.layout,
            store: object.key.store,
            origin: FaultOrigin(source)
        )
        page.adoptObjects(in: registry)
        return object.page?.siblings
    }

    /// Puts a fault of `object(with:)` on a page with those that were requested before it.
    @inline(never)
    final func noteLooseFault(_ object: NSManagedObject) {
        guard object.isUnread, object.page == nil, !object.key.isTemporary else { return }
        makeReadingAhead().enter(loose: object, at: placeForReports)
        noteEvent()
    }

    private func makeReadingAhead() -> ReadingAhead {
        if let readingAhead { return readingAhead }
        let newReadingAhead = ReadingAhead()
        readingAhead = newReadingAhead
        return newReadingAhead
    }

    /// Records which object's to-one relationship led to a fault.
    @inline(never)
    final func noteDestination(_ object: NSManagedObject, of owner: NSManagedObject, slot: Int) {
        guard object.isUnread, object.page == nil, !object.key.isTemporary, owner.key.primaryKey > 0,
            let page = siblings(of: owner)
        else { return }
        let walk = page.origin.walk(owner.layout.slots[slot].name)
        object.page = DestinationPage(key: object.key, layout: object.layout, owner: owner, walk: walk)
    }

    /// Records the relationship through which prefetched objects were reached.
    @inline(never)
    final func noteReached(_ objects: [NSManagedObject], from owner: NSManagedObject?, by name: String) {
        guard let owner, let first = objects.first, let origin = siblings(of: owner)?.origin else { return }
        let page = SiblingPage(
            keys: [],
            layout: first.layout,
            store: first.key.store,
            origin: origin.walk(name).reached
        )
        for object in objects where object.hasNoSiblings && page.hasRoom(for: object) {
            page.append(object.key.primaryKey)
            object.page = page
        }
    }

    /// The origin of a relationship's members; nil if none was recorded.
    final func origin(of owner: NSManagedObject, slot: Int) -> FaultOrigin? {
        guard registry.faultingPolicy != .allow else { return nil }
        return siblings(of: owner)?.origin.walk(owner.layout.slots[slot].name).reached
    }

    // MARK: Values

    /// Reads the row of a fault that has siblings; returns false if the row is gone.
    @inline(never)
    final func fill(_ object: NSManagedObject, among page: SiblingPage) throws -> Bool {
        page.hasFired = true
        if page.isBatch, !page.isLoaded {
            try page.load(in: self)
        } else if registry.faultingPolicy == .automatic, page.valuesWalk.readsTogether {
            readAhead(object, page)
        }
        if object.snapshot != nil { return true }
        let walk = page.valuesWalk
        let before = requestCount
        let isThere = try fillAlone(object)
        if requestCount != before { noteFiring(walk, entity: page.reportedEntity) }
        return isThere
    }

    /// The number of requests to the stores, counted by the root context.
    private var requestCount: Int {
        var root = self
        while let parent = root.parentContext { root = parent }
        return root.registry.fetches.current
    }

    /// Reads the rows of a fault and its siblings together; on failure, they are read one by one later.
    private func readAhead(_ object: NSManagedObject, _ page: SiblingPage) {
        do {
            if let page = page as? DestinationPage {
                try readDestinations(object, page)
            } else {
                let unread = page.neighbours(of: object.key.primaryKey, limit: FaultPage.limit, in: registry) {
                    $0 === object || (!$0.hasRow && $0.state.contains(.fault))
                }
                guard unread.count > 1 else { return }
                try fill(keys: unread.map(\.key.primaryKey), layout: page.layout, store: page.store)
            }
        } catch {
            Diagnosis.log.debug("Rows could not be read together and are read one by one: \(error)")
        }
    }

    /// Reads the destinations of one to-one relationship of many objects.
    private func readDestinations(_ object: NSManagedObject, _ page: DestinationPage) throws {
        guard let owner = registry.object(for: page.owner, tree: page.ownerLayout.tree.index),
            let owners = siblings(of: owner)
        else { return }
        var keys: [ObjectKey] = [object.key]
        var seen: Set<Int64> = [object.key.primaryKey]
        let tree = object.layout.tree
        let near = owners.neighbours(of: owner.key.primaryKey, limit: FaultPage.limit, in: registry) { _ in true }
        for sibling in near {
            guard let slot = sibling.layout.slot(named: page.valuesWalk.name),
                case .reference(let key) = sibling.valueInMemory(slot), !key.isTemporary,
                key.store == object.key.store, layout(of: key)?.tree === tree, seen.insert(key.primaryKey).inserted
            else { continue }
            if let existing = registered(key, tree), !existing.isUnread { continue }
            keys.append(key)
        }
        guard keys.count > 1 else { return }
        if let parentContext {
            owners.companions += try parentContext.onQueue { () throws in
                try parentContext.readForChild(of: [owner.key], page.valuesWalk.name)
            }
        }
        let reached = SiblingPage(
            keys: keys.map(\.primaryKey),
            layout: object.layout,
            store: object.key.store,
            origin: page.origin
        )
        // Hold the faults while they are filled: only living objects receive rows.
        let faults = keys.map { self.object(for: $0) }
        try fill(keys: reached.keys, layout: object.layout, store: object.key.store)
        for fault in faults where fault.hasRow && fault.state.contains(.fault) {
            // Faults that arrived with others before stay on their page, which may be older than this one.
            guard fault.hasNoSiblings else { continue }
            fault.page = reached
            owners.companions.append(fault)
        }
    }

    private func layout(of key: ObjectKey) -> ObjectLayout? {
        guard let layouts = compiledModel?.layouts, layouts.indices.contains(Int(key.entity)) else { return nil }
        return layouts[Int(key.entity)]
    }

    // MARK: Members

    /// The keys of the members of a to-many relationship of an object that may have siblings.
    @inline(never)
    final func membersAmongSiblings(of object: NSManagedObject, slot: Int) throws -> [ObjectKey] {
        guard object.key.primaryKey > 0, let page = siblings(of: object) else {
            return try readStoredMembers(of: object, slot: slot)
        }
        let name = object.layout.slots[slot].name
        let walk = page.origin.walk(name)
        if registry.faultingPolicy == .automatic {
            if let members = readingAhead?.members(of: object, name, in: self) { return keys(of: members) }
            // Each request of a child is a turn, whose end would drop members that were read ahead.
            if registry.servedPolicy == nil, walk.readsTogether,
                walk.askedOfParent.remove(object.key.primaryKey) == nil
            {
                readMembersAhead(object, slot, page, walk)
                if let members = readingAhead?.members(of: object, name, in: self) { return keys(of: members) }
            }
        }
        let before = requestCount
        let keys = try readStoredMembers(of: object, slot: slot)
        walk.noteMembers(keys.count, owners: 1)
        if requestCount != before { noteFiring(walk, entity: object.layout.name) }
        return keys
    }

    /// Reads the members of an object and its siblings together; on failure, they are read one by one later.
    private func readMembersAhead(_ object: NSManagedObject, _ slot: Int, _ page: SiblingPage, _ walk: FaultWalk) {
        let description = object.layout.slots[slot]
        let owners = page.neighbours(of: object.key.primaryKey, limit: walk.portion, in: registry) { sibling in
            guard let slot = sibling.layout.slot(named: walk.name), !sibling.state.contains(.deleted) else {
                return false
            }
            let siblingSlot = sibling.layout.slots[slot]
            guard siblingSlot.kind == .toMany, siblingSlot.destination == description.destination else { return false }
            if case .toMany(let members)? = sibling.edits?.values[slot], members.stored != nil { return false }
            return sibling === object
                || !(walk.askedOfParent.contains(sibling.key.primaryKey)
                    || readingAhead?.holds(sibling, walk.name) == true)
        }
        guard owners.count > 1 else { return }
        do {
            if let parentContext {
                page.companions += try parentContext.onQueue { () throws in
                    try parentContext.readForChild(of: owners.map(\.key), walk.name)
                }
                walk.askedOfParent.formUnion(owners.lazy.filter { $0 !== object }.map(\.key.primaryKey))
            } else {
                try readMembers(of: owners, object.layout, slot, walk)
            }
        } catch {
            Diagnosis.log.debug("Members could not be read together and are read one by one: \(error)")
        }
    }

    private func readMembers(of owners: [NSManagedObject], _ layout: ObjectLayout, _ slot: Int, _ walk: FaultWalk)
        throws
    {
        guard let first = owners.first, let coordinator = registry.coordinator,
            let store = coordinator.rowStore(at: first.key.store), !(store is NSIncrementalStore),
            let destination = layout.slots[slot].destination
        else { return }
        let began = Moment.now
        let batch = try reading(store) {
            try $0.members(layout: layout.stored, slot: slot, owners: owners.map(\.key.primaryKey))
        }
        registry.fetches.add(1)
        registry.faultBatches.add(1)
        walk.noteMembers(batch.count, owners: owners.count)
        let destinations = coordinator.compiledModel.layouts[destination]
        let ownerColumn = destinations.tree.kinds.count
        var rows: [Int64: Range<Int>] = [:]
        var start = 0
        for row in 0..<batch.count
        where row + 1 == batch.count
            || batch.integer(ownerColumn, row) != batch.integer(ownerColumn, row + 1)
        {
            rows[batch.integer(ownerColumn, row)] = start..<row + 1
            start = row + 1
        }
        var seen: Set<Int64> = []
        let keys = (0..<batch.count).map { batch.integer(TreeLayout.primaryKeyColumn, $0) }
        let portion = ReadingAhead.Portion(
            batch: batch,
            page: SiblingPage(
                keys: keys.filter { seen.insert($0).inserted },
                layout: destinations,
                store: store.index,
                origin: walk.reached
            ),
            walk: walk,
            readAt: began,
            generation: generation,
            owners: owners.count
        )
        makeReadingAhead().enter(portion, owners, rows)
    }

    /// The keys of members that were read ahead.
    private func keys(of members: ReadingAhead.Members) -> [ObjectKey] {
        let portion = members.portion
        let layout = portion.page.layout
        guard let store = registry.coordinator?.rowStore(at: portion.page.store) else { return [] }
        return members.rows.map { row in
            let number = layout.tree.isInTree ? portion.batch.integer(TreeLayout.entityColumn, row) : nil
            return identity(
                portion.batch.integer(TreeLayout.primaryKeyColumn, row),
                entity: number,
                layout,
                store
            ).key
        }
    }

    /// Creates the objects of members that were read ahead, with their rows; the caller must hold them.
    final func takeMembersReadAhead(of owner: NSManagedObject, slot: Int) -> [NSManagedObject] {
        let name = owner.layout.slots[slot].name
        guard let readingAhead, let members = readingAhead.members(of: owner, name, in: self) else { return [] }
        readingAhead.take(members, of: owner, name)
        let portion = members.portion
        // Create all at once, so that later reads of these members also cover the members of the other owners.
        if portion.objects.isEmpty {
            registry.rowsRead.add(portion.batch.count)
            let allMembers = ReadingAhead.Members(portion: portion, rows: 0..<portion.batch.count)
            portion.objects = zip(allMembers.rows, keys(of: allMembers)).map { row, key in
                let object = object(for: key)
                if object.isUnread, object.edits == nil { object.adopt(portion.batch, row: row) }
                if object.hasNoSiblings { object.page = portion.page }
                return object
            }
        }
        return Array(portion.objects[members.rows])
    }

    // MARK: Children

    /// Reads one relationship of many objects for a child that is about to request them one by one.
    ///
    /// - Returns: The objects to keep alive until then.
    private func readForChild(of keys: [ObjectKey], _ name: String) throws -> [NSManagedObject] {
        let sources = keys.map { object(for: $0) }
        let unread = sources.filter { !$0.hasRow && $0.state.contains(.fault) }
        if let first = unread.first, unread.count > 1 {
            try fill(keys: unread.map(\.key.primaryKey), layout: first.layout, store: first.key.store)
        }
        if let parentContext {
            return sources
                + (try parentContext.onQueue { () throws in
                    try parentContext.readForChild(of: keys, name)
                })
        }
        // The child may have only a few of the objects that were fetched together here.
        var owners = sources
        if let first = sources.first, let page = siblings(of: first) {
            let identifiers = Set(sources.map(ObjectIdentifier.init))
            owners += page.neighbours(of: first.key.primaryKey, limit: FaultPage.limit, in: registry) {
                !identifiers.contains(ObjectIdentifier($0)) && $0.hasRow
            }
        }
        try Prefetch(context: self, coordinator: requireCoordinator()).follow(owners, name)
        return sources
    }
}

extension NSManagedObject {
    /// Whether the values are in memory: from a row, or as the object's own values.
    fileprivate var hasRow: Bool { snapshot != nil || edits?.isWholeRow == true }

    /// Whether no page groups this object with siblings; the page of a single destination does not.
    fileprivate var hasNoSiblings: Bool { page == nil || page is DestinationPage }
}
