// One fetch, from a request to results. Made by NSManagedObjectContext; it asks the stores for rows and merges unsaved
// changes into what they answer.
import Foundation
import GraphPredicates
import GraphSQL
import GraphSQLite

/// A fetch in progress.
struct FetchOperation<T> {
    private let request: NSFetchRequest<T>
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let layout: ObjectLayout
    private let stores: [any RowStore]
    private let sorts: [NSSortDescriptor]
    private let fetch: StoreFetch

    init(_ request: NSFetchRequest<T>, context: NSManagedObjectContext) throws {
        self.request = request
        self.context = context
        coordinator = try context.requireCoordinator()
        layout = try Self.findLayout(request, in: coordinator.compiledModel)
        stores = coordinator.rowStores(for: layout, among: request.affectedStores)
        sorts = request.sortDescriptors ?? []
        var fetch = StoreFetch(layout: layout)
        fetch.includesSubentities = request.includesSubentities
        fetch.predicate = request.predicate?.node
        fetch.sort = try sorts.map { try SortTerm($0) }
        fetch.limit = max(0, request.fetchLimit)
        fetch.offset = max(0, request.fetchOffset)
        self.fetch = fetch
        if request.includesPendingChanges { context.processPendingChanges() }
        context.registry.fetches.add(1)
    }

    private static func findLayout(_ request: NSFetchRequest<T>, in model: CompiledModel) throws -> ObjectLayout {
        guard let name = request.entityName else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The fetch request has no entity.",
                remedy: "Make it with NSFetchRequest(entityName:), or set its entity."
            )
        }
        if let layout = model.byName[name] { return layout }
        let known = model.byName.keys.sorted()
        let near = NearestName.of(name, among: known).map { " Did you mean \($0)?" } ?? ""
        throw CoreDataError.make(
            NSCoreDataError,
            "The model has no entity named \(name).\(near)",
            remedy: "Use one of: \(known.joined(separator: ", "))."
        )
    }

    // MARK: Results

    func objects() throws -> [NSManagedObject] {
        let objects = try found()
        if let paths = request.relationshipKeyPathsForPrefetching, !paths.isEmpty, context.parentContext == nil {
            try Prefetch(context: context, coordinator: coordinator).run(objects, paths: paths, layout: layout)
        }
        return objects
    }

    private func found() throws -> [NSManagedObject] {
        let pending = pendingChanges()
        if let parent = context.parentContext {
            return pending.isEmpty ? try fromParent(parent, isWhole: false) : try merged(pending)
        }
        guard pending.isEmpty, !needsMemory, stores.count == 1, let store = stores.first else {
            return try merged(pending)
        }
        do {
            return try stored(fetch, store)
        } catch let error as NSError where error.isNeedsMemory {
            return try merged(pending, inMemory: true)
        }
    }

    /// The fetch as one store can answer it without the context; nil where the context is needed.
    func portions() -> FetchPortions? {
        guard request.resultType == .managedObjectResultType, context.parentContext == nil, stores.count == 1,
            let store = stores.first, request.fetchBatchSize == 0, request.includesPropertyValues,
            request.returnsObjectsAsFaults, !request.shouldRefreshRefetchedObjects,
            request.relationshipKeyPathsForPrefetching?.isEmpty ?? true, pendingChanges().isEmpty
        else { return nil }
        return FetchPortions(fetch: fetch, store: store, coordinator: coordinator, context: context)
    }

    func identifiers() throws -> [NSManagedObjectID] {
        try objects().map(\.objectID)
    }

    func count() throws -> Int {
        let pending = pendingChanges()
        if let parent = context.parentContext, pending.isEmpty {
            let copy = request(isWhole: false)
            return try parent.performAndWait { () throws in try parent.count(for: copy) }
        }
        guard context.parentContext == nil, pending.isEmpty, !needsMemory, stores.count == 1, let store = stores.first
        else {
            return try merged(pending).count
        }
        do {
            return try coordinator.withLock(for: context) { try store.count(fetch) }
        } catch let error as NSError where error.isNeedsMemory {
            return try merged(pending, inMemory: true).count
        }
    }

    func dictionaries() throws -> [[String: Any]] {
        let plan = try DictionaryPlan(request, layout: layout)
        return try stores.flatMap { store in
            try coordinator.withLock(for: context) { try store.dictionaries(fetch, properties: plan) }
        }
    }

    /// Gives the objects their Swift type; the classes were checked once, not once an object.
    func typed(_ objects: [NSManagedObject]) throws -> [T] {
        if let wanted = T.self as? NSManagedObject.Type {
            let model = coordinator.compiledModel
            for index in layout.family {
                let found = model.layouts[index].objectClass
                guard found is T.Type || model.layouts[index].entity.isAbstract else {
                    throw CoreDataError.make(
                        NSCoreDataError,
                        "The request returns \(wanted), but objects of \(model.layouts[index].name) are of the class "
                            + "\(found).",
                        remedy: "Check the entity's class name, and that the class is part of a target with the "
                            + "GenerateManagedObjects plugin; or fetch as NSFetchRequest<NSManagedObject>."
                    )
                }
            }
            if T.self is AnyObject.Type { return unsafeBitCast(objects, to: [T].self) }
        }
        return try cast(objects)
    }

    func cast<Found>(_ values: [Found]) throws -> [T] {
        try values.map { value in
            if let typed = value as? T { return typed }
            if let dictionary = value as? [String: Any], let typed = NSDictionary(dictionary: dictionary) as? T {
                return typed
            }
            if let number = value as? NSNumber, let typed = number.intValue as? T { return typed }
            throw CoreDataError.make(
                NSCoreDataError,
                "The request returns \(T.self), but its result type gives \(Found.self).",
                remedy: "Make the request's generic type fit its resultType."
            )
        }
    }

    // MARK: Rows

    /// What one store answers, in its order.
    private func stored(_ fetch: StoreFetch, _ store: any RowStore) throws -> [NSManagedObject] {
        let tree = layout.tree
        if request.fetchBatchSize > 0 || !request.includesPropertyValues {
            let keys = try coordinator.withLock(for: context) { try store.keys(fetch) }
            return context.pagedObjects(
                keys,
                tree: tree,
                layout: layout,
                store: store,
                pageSize: request.fetchBatchSize > 0 ? min(request.fetchBatchSize, FaultPage.limit) : 1
            )
        }
        let batch = try coordinator.withLock(for: context) { try store.rows(fetch) }
        let objects = context.objects(
            from: batch,
            tree: tree,
            layout: layout,
            store: store,
            asFaults: request.returnsObjectsAsFaults
        )
        if request.shouldRefreshRefetchedObjects { refresh(objects, batch) }
        return objects
    }

    /// What the parent answers, its unsaved changes included, as objects of this context.
    private func fromParent(_ parent: NSManagedObjectContext, isWhole: Bool) throws -> [NSManagedObject] {
        let copy = request(isWhole: isWhole)
        let objects = try parent.performAndWait { () throws in
            context.counterparts(
                of: try FetchOperation<NSManagedObject>(copy, context: parent).objects(),
                refreshing: request.shouldRefreshRefetchedObjects
            )
        }
        if !request.returnsObjectsAsFaults { for object in objects where object.isFault { object.fire() } }
        return objects
    }

    /// The request as the parent is asked; without limits where this context's changes are still to be judged.
    private func request(isWhole: Bool) -> NSFetchRequest<NSManagedObject> {
        let copy = NSFetchRequest<NSManagedObject>()
        request.copyContents(to: copy)
        copy.resultType = .managedObjectResultType
        // To a child its parent is the store.
        copy.includesPendingChanges = true
        if isWhole {
            copy.fetchLimit = 0
            copy.fetchOffset = 0
        }
        return copy
    }

    /// Unchanged objects take on the rows just read.
    private func refresh(_ objects: [NSManagedObject], _ batch: RowBatch) {
        for (row, object) in objects.enumerated() where object.snapshot !== batch && !object.hasChanges {
            object.edits = nil
            object.adopt(batch, row: row)
        }
    }

    // MARK: Unsaved changes

    private var needsMemory: Bool { stores.count > 1 }

    /// Changed objects that the request's entity admits.
    private func pendingChanges() -> [NSManagedObject] {
        guard request.includesPendingChanges else { return [] }
        func admits(_ object: NSManagedObject) -> Bool {
            request.includesSubentities ? object.layout.isKind(of: layout) : object.layout === layout
        }
        return context.insertedList.filter { $0.state.contains(.inserted) && admits($0) }
            + context.updatedList.filter { $0.state.contains(.updated) && admits($0) }
            + context.deletedList.filter { $0.state.contains(.deleted) && admits($0) }
    }

    /// The stores' answers without limit, with changed objects judged anew, sorted, then cut.
    private func merged(_ pending: [NSManagedObject], inMemory: Bool = false) throws -> [NSManagedObject] {
        var plain = fetch
        plain.limit = 0
        plain.offset = 0
        var isFiltered = !inMemory
        var result: [NSManagedObject] = []
        if let parent = context.parentContext { result = try fromParent(parent, isWhole: true) }
        for store in context.parentContext == nil ? stores : [] {
            do {
                if !isFiltered {
                    plain.predicate = nil
                    plain.sort = []
                }
                result += try stored(plain, store)
            } catch let error as NSError where error.isNeedsMemory {
                isFiltered = false
                plain.predicate = nil
                plain.sort = []
                result += try stored(plain, store)
            }
        }
        let evaluator = request.predicate.map { Evaluator($0.node) }
        func admits(_ object: NSManagedObject) throws -> Bool {
            guard !object.state.contains(.deleted) else { return false }
            do {
                return try evaluator?.evaluate(object) ?? true
            } catch {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The predicate \(request.predicate?.printedFormat ?? "") cannot be evaluated: \(error)",
                    remedy: "Correct the predicate."
                )
            }
        }
        let changed = Set(pending.map(ObjectIdentifier.init))
        if isFiltered {
            result.removeAll { changed.contains(ObjectIdentifier($0)) }
        } else {
            result = try result.filter { try !changed.contains(ObjectIdentifier($0)) && admits($0) }
        }
        let additions = try pending.filter { try admits($0) }
        if !isFiltered || (stores.count > 1 && context.parentContext == nil) {
            result = sorted(result + additions)
        } else if !additions.isEmpty {
            insert(additions, into: &result)
        }
        return cut(result)
    }

    private func sorted(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard !sorts.isEmpty else { return objects }
        return objects.sorted { isBefore($0, $1) }
    }

    private func isBefore(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
        for sort in sorts {
            switch sort.compare(one, to: other) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        // New objects stand behind saved ones, as they will once they have a key.
        return (one.key.primaryKey > 0 ? one.key.primaryKey : .max)
            < (other.key.primaryKey > 0 ? other.key.primaryKey : .max)
    }

    private func insert(_ additions: [NSManagedObject], into result: inout [NSManagedObject]) {
        guard !sorts.isEmpty else {
            result += additions
            return
        }
        // Few changes into many rows: binary search each; many: sort and merge once.
        if additions.count < 16 {
            for object in additions {
                var low = 0
                var high = result.count
                while low < high {
                    let middle = (low + high) / 2
                    if isBefore(object, result[middle]) { high = middle } else { low = middle + 1 }
                }
                result.insert(object, at: low)
            }
        } else {
            result = sorted(result + additions)
        }
    }

    private func cut(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        let rest = objects.dropFirst(fetch.offset)
        return Array(fetch.limit > 0 ? rest.prefix(fetch.limit) : rest)
    }
}

extension NSError {
    /// Whether a fetch failed only because tables cannot answer it.
    var isNeedsMemory: Bool {
        (userInfo["NSUnderlyingTranslationError"] as? TranslationError)?.kind == .needsMemory
    }
}
