// One fetch, from a request to results. Created by NSManagedObjectContext; it reads rows from the stores and merges
// unsaved changes into them.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import GraphSQLite

/// A fetch in progress.
final class FetchOperation<T> {
    let request: NSFetchRequest<T>
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator
    /// Layouts are never freed.
    unowned(unsafe) let layout: ObjectLayout
    let stores: [any RowStore]
    let sorts: [NSSortDescriptor]
    let fetch: StoreFetch

    init(_ request: NSFetchRequest<T>, context: NSManagedObjectContext) throws {
        self.request = request
        self.context = context
        coordinator = try context.requireCoordinator()
        layout = try Self.findLayout(request, in: coordinator.compiledModel, context.registry)
        request.noteFetched(layout)
        try Self.check(request)
        stores = coordinator.rowStores(for: layout, among: request.affectedStores)
        sorts = request.sortDescriptors ?? []
        var fetch = StoreFetch(layout: layout.stored)
        fetch.includesSubentities = request.includesSubentities
        fetch.predicate = request.predicate?.node
        fetch.sort = try sorts.map { try SortTerm($0) }
        fetch.limit = max(0, request.fetchLimit)
        fetch.offset = max(0, request.fetchOffset)
        self.fetch = fetch
        // A store checks each request that it translates, once for each shape. Check here if no store will.
        if stores.isEmpty { try checkPredicateAndSort() }
        if request.includesPendingChanges { context.propagateDeletesForFetch() }
        if request.shouldRefreshRefetchedObjects { context.renewSnapshots() }
        context.registry.fetches.add(1)
    }

    private static func check(_ request: NSFetchRequest<T>) throws {
        guard request.propertiesToGroupBy?.isEmpty == false,
            [.managedObjectResultType, .managedObjectIDResultType].contains(request.resultType)
        else { return }
        throw CoreDataError.make(
            NSCoreDataError,
            "The request has propertiesToGroupBy, but its results are not dictionaries.",
            remedy: "Set its resultType to dictionaryResultType."
        )
    }

    private static func findLayout(
        _ request: NSFetchRequest<T>,
        in model: CompiledModel,
        _ registry: ObjectRegistry
    ) throws -> ObjectLayout {
        if let layout = request.entity?.compiledLayout, layout.model === model { return layout }
        guard let name = request.entityName else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The fetch request has no entity.",
                remedy: "Make it with NSFetchRequest(entityName:), or set its entity."
            )
        }
        // Most fetches have the entity of the one before.
        if let latest = registry.latestFetched, latest.model === model, latest.name == name { return latest }
        let layout = try model.layout(named: name)
        registry.latestFetched = layout
        return layout
    }

    // MARK: Results

    func objects() throws -> [NSManagedObject] {
        let objects = try matchingObjects()
        if context.registry.faultingPolicy != .allow { context.noteOrigin(of: objects, fetchedBy: request) }
        if context.parentContext == nil { try prefetch(objects) }
        return objects
    }

    /// Whether the request prefetches relationships.
    var prefetches: Bool { request.relationshipKeyPathsForPrefetching?.isEmpty == false }

    /// Reads the relationships that the request prefetches.
    func prefetch(_ objects: [NSManagedObject]) throws {
        guard prefetches, let paths = request.relationshipKeyPathsForPrefetching else { return }
        try Prefetch(context: context, coordinator: coordinator).run(objects, paths: paths, layout: layout)
    }

    private func matchingObjects() throws -> [NSManagedObject] {
        let pending = pendingChanges()
        if let parent = context.parentContext {
            return pending.isEmpty ? try fetched(in: parent, isWhole: false) : try merged(pending)
        }
        guard pending.isEmpty, let store = onlyStore else { return try merged(pending) }
        do {
            return try stored(fetch, store)
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            return try merged(pending)
        }
    }

    /// The one store that has the request's entity; nil if several have it.
    private var onlyStore: (any RowStore)? { stores.count == 1 ? stores.first : nil }

    /// The fetch in a form that one store can answer without the context; nil if the context is needed.
    func portions() -> FetchPortions? {
        guard request.resultType == .managedObjectResultType, context.parentContext == nil, let store = onlyStore,
            request.fetchBatchSize == 0, request.includesPropertyValues, request.returnsObjectsAsFaults,
            !request.shouldRefreshRefetchedObjects, request.relationshipKeyPathsForPrefetching?.isEmpty ?? true,
            request.propertiesToFetch == nil, !(store is NSIncrementalStore), pendingChanges().isEmpty
        else { return nil }
        return FetchPortions(
            fetch: fetch,
            layout: layout,
            store: store,
            context: context,
            generation: context.generation
        )
    }

    /// The identifiers; no objects are created if one store can answer.
    func identifiers() throws -> [NSManagedObjectID] {
        guard context.parentContext == nil, let store = onlyStore, pendingChanges().isEmpty else {
            return try matchingObjects().map(\.objectID)
        }
        if let store = store as? NSIncrementalStore { return try identifiers(in: store) }
        do {
            let (layouts, link) = (coordinator.compiledModel.layouts, store.link)
            return try storedKeys(store).map {
                NSManagedObjectID(layout: layouts[Int($0.entity)], key: $0, link: link)
            }
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            return try matchingObjects().map(\.objectID)
        }
    }

    /// The keys, for callers that need no identifiers.
    func keys() throws -> [ObjectKey] {
        guard context.parentContext == nil, let store = onlyStore, !(store is NSIncrementalStore),
            pendingChanges().isEmpty
        else { return try matchingObjects().map(\.key) }
        do {
            return try storedKeys(store)
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            return try matchingObjects().map(\.key)
        }
    }

    private func storedKeys(_ store: any RowStore) throws -> [ObjectKey] {
        let keys = try context.reading(store) { try $0.keys(fetch) }
        context.registry.rowsRead.add(keys.count)
        let (index, entity) = (store.index, Int32(truncatingIfNeeded: layout.index))
        guard layout.tree.isInTree else {
            return (0..<keys.count).map { ObjectKey(entity: entity, store: index, primaryKey: keys.integer(0, $0)) }
        }
        return (0..<keys.count).map { row in
            context.identity(keys.integer(0, row), entity: keys.integer(1, row), layout, store).key
        }
    }

    func count() throws -> Int {
        let pending = pendingChanges()
        if let parent = context.parentContext {
            guard pending.isEmpty else { return try merged(pending).count }
            let copy = request(isWhole: false)
            return try parent.onQueue { () throws in try parent.count(for: copy) }
        }
        if hasIncrementalStore {
            if pending.isEmpty, let store = onlyStore as? NSIncrementalStore { return try count(in: store) }
            return try merged(pending).count
        }
        do {
            guard pending.isEmpty, let store = onlyStore else { return try countMerged(pending) }
            return try context.reading(store) { try $0.count(fetch) }
        } catch let error as NSError where error.requiresInMemoryEvaluation {
            return try merged(pending).count
        }
    }

    /// Dictionaries of the rows in the stores, without unsaved changes.
    func dictionaries() throws -> [T] {
        let plan = try DictionaryPlan(request, layout: layout)
        if let store = onlyStore as? NSIncrementalStore { return try cast(try dictionaries(in: store)) }
        if let store = onlyStore {
            do {
                return try dictionaries(plan, in: store)
            } catch let error as NSError where error.requiresInMemoryEvaluation {}
        }
        let computed = DictionaryFetch(request, plan: plan, fetch: fetch, layout: layout)
        return try cast(try computed.run(in: coordinator, generation: context.queryGenerationToken))
    }

    /// Dictionaries that one store's tables can produce by themselves.
    private func dictionaries(_ plan: DictionaryPlan, in store: any RowStore) throws -> [T] {
        let model = coordinator.compiledModel
        let isFoundation = T.self == NSDictionary.self
        if isFoundation || T.self == [String: Any].self, let plain = PlainDictionaries(plan, layout) {
            let batch = try context.reading(store) { try $0.rows(fetch, columns: plain.columns) }
            return isFoundation
                ? unsafeBitCast(plain.foundation(batch), to: [T].self)
                : unsafeBitCast(plain.swift(batch), to: [T].self)
        }
        if isFoundation, plan.isFlat {
            let names = plan.places.map { $0[0] as NSString }
            var rows: [NSDictionary] = []
            try context.reading(store) {
                try $0.eachRow(fetch, plan.fetch) {
                    rows.append(plan.foundationDictionary($0, $1, names, model, store))
                }
            }
            return unsafeBitCast(rows, to: [T].self)
        }
        var rows: [[String: Any]] = []
        try context.reading(store) {
            try $0.eachRow(fetch, plan.fetch) { rows.append(plan.dictionary($0, $1, model, store)) }
        }
        return try cast(rows)
    }

    /// Casts the objects to their Swift type; checks the classes once, not for each object.
    func typed(_ objects: [NSManagedObject]) throws -> [T] {
        if T.self is AnyObject.Type, layout.hasChecked(T.self) { return unsafeBitCast(objects, to: [T].self) }
        if let expected = T.self as? NSManagedObject.Type {
            let model = coordinator.compiledModel
            for index in layout.family {
                let objectClass = model.layouts[index].objectClass
                guard objectClass is T.Type || model.layouts[index].entity.isAbstract else {
                    throw CoreDataError.make(
                        NSCoreDataError,
                        "The request returns \(expected), but objects of \(model.layouts[index].name) are of the class "
                            + "\(objectClass).",
                        remedy: "Check the entity's class name, and that the class is part of a target with the "
                            + "GenerateManagedObjects plugin; or fetch as NSFetchRequest<NSManagedObject>."
                    )
                }
            }
            if T.self is AnyObject.Type {
                layout.noteChecked(T.self)
                return unsafeBitCast(objects, to: [T].self)
            }
        }
        return try cast(objects)
    }

    /// Casts results to the request's type, all at once if they have it; converts dictionaries and numbers.
    func cast<Found>(_ values: [Found]) throws -> [T] {
        if T.self == Found.self { return unsafeBitCast(values, to: [T].self) }
        return try values.map { value in
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

    /// The results of one store, in its order.
    func stored(_ fetch: StoreFetch, _ store: any RowStore) throws -> [NSManagedObject] {
        if let store = store as? NSIncrementalStore { return try objects(in: store, fetch) }
        // Objects in memory are refreshed with their rows.
        let isPaged = request.fetchBatchSize > 0 && !request.shouldRefreshRefetchedObjects
        if isPaged || !request.includesPropertyValues {
            let keys = try context.reading(store) { try $0.keys(fetch) }
            let rows = PagedRowKeys(
                keys: keys,
                layouts: RowLayouts(layout, context, store),
                store: store.index,
                pageSize: request.fetchBatchSize > 0 ? min(request.fetchBatchSize, FaultPage.limit) : 1
            )
            return context.objects(of: rows, layout, store: store.index)
        }
        if let columns = partialColumns() { return try partial(fetch, store, columns) }
        let batch = try context.reading(store) { try $0.rows(fetch) }
        let objects = context.objects(
            from: batch,
            layout: layout,
            store: store,
            asFaults: request.returnsObjectsAsFaults
        )
        if request.shouldRefreshRefetchedObjects { refresh(objects, batch) }
        return objects
    }

    /// The results of another context, including its unsaved changes, as objects of this one.
    func fetched(in source: NSManagedObjectContext, isWhole: Bool) throws -> [NSManagedObject] {
        let copy = request(isWhole: isWhole)
        let objects = try source.onQueue { () throws in
            context.counterparts(
                of: try FetchOperation<NSManagedObject>(copy, context: source).objects(),
                refreshing: request.shouldRefreshRefetchedObjects
            )
        }
        if !request.returnsObjectsAsFaults { for object in objects where object.isFault { object.fire() } }
        return objects
    }

    /// The request for another context; without limits if this context's changes must still be merged.
    private func request(isWhole: Bool) -> NSFetchRequest<NSManagedObject> {
        let copy = NSFetchRequest<NSManagedObject>()
        request.copyContents(to: copy)
        copy.resultType = .managedObjectResultType
        // For a child context, its parent is the store.
        copy.includesPendingChanges = true
        if isWhole {
            copy.fetchLimit = 0
            copy.fetchOffset = 0
        }
        return copy
    }

    /// Updates unchanged objects with the rows just read.
    func refresh(_ objects: [NSManagedObject], _ batch: RowBatch) {
        for (row, object) in objects.enumerated() where object.snapshot !== batch && !object.hasChanges {
            object.edits = nil
            object.adopt(batch, row: row)
        }
    }
}

extension NSError {
    /// Whether a fetch failed only because tables cannot answer it.
    package var requiresInMemoryEvaluation: Bool {
        (userInfo["NSUnderlyingTranslationError"] as? TranslationError)?.kind == .needsMemory
    }
}
