// A store that is browsed: its entities, windows of rows, single objects. Called by the studio. Each call reads in a
// context of its own and keeps no objects, so that memory does not grow with the number of rows that were read. Unsaved
// changes are in StagedEdits.
import Foundation
import GraphArchives
import GraphEngine
import GraphPredicates
import ManagedGraph
import ManagedGraphTools
import Synchronization

/// The objects of a store or of a running container, as values for display.
///
/// All methods may be called from any thread, by several readers concurrently.
public final class BrowsingSession: Sendable {
    /// The coordinator with the stores.
    public let coordinator: NSPersistentStoreCoordinator
    /// Whether staged changes may be saved.
    public let isWritable: Bool
    /// The origin of the model: a path, `cache` for the store's own, `program` for that of a running container.
    public let modelSource: String
    let shapes: EntityShapes
    let names: ObjectNames
    let lists = RowLists()
    private let saves = Atomic<Int>(0)
    /// The store file that a snapshot was made of; nil if the stores themselves are read.
    private let snapshot: OpenedStore?
    private let files: [URL]
    private let snapshotStamp: String
    // Set once, by the initializer.
    private nonisolated(unsafe) var observation: (any NSObjectProtocol)?
    private nonisolated(unsafe) var remoteObservation: (any NSObjectProtocol)?

    /// Opens a store file.
    ///
    /// The store is neither created nor migrated. For reading only, a snapshot of the file is opened: nothing is written,
    /// neither into the file nor beside it. `isOutdated` is true when the file has changed since. A store in a database is
    /// read as it is at each moment.
    ///
    /// - Parameters:
    ///   - url: A SQLite, XML or binary store, or the address of a PostgreSQL database.
    ///   - model: A model file; without it, the store's own model is used, or one beside the store.
    ///   - isWritable: Whether changes may be saved; otherwise the file is opened for reading only.
    /// - Throws: 260 if there is no file, 134080 or 259 if it is damaged or not a store, 134100 if no model fits it,
    ///   and errors of the database.
    public convenience init(store url: URL, model: URL? = nil, isWritable: Bool = false) throws {
        // A change while the file is opened makes the snapshot outdated, never unnoticed.
        let stamp = Self.fileStamp([url])
        let opened = try OpenedStore(url, model: model, isWritable: isWritable)
        self.init(
            opened.coordinator,
            isWritable: isWritable,
            modelSource: opened.modelSource,
            files: [url],
            snapshot: isWritable || opened.isDatabase ? nil : opened,
            stamp: stamp
        )
    }

    /// Browses the stores of a running container.
    ///
    /// - Parameters:
    ///   - container: A container whose stores are loaded.
    ///   - isWritable: Whether changes may be saved.
    public convenience init(_ container: NSPersistentContainer, isWritable: Bool = true) {
        self.init(container.persistentStoreCoordinator, isWritable: isWritable)
    }

    /// Browses the stores of a coordinator.
    ///
    /// - Parameters:
    ///   - coordinator: A coordinator with stores.
    ///   - isWritable: Whether changes may be saved.
    ///   - modelSource: The origin of the model, for display.
    public convenience init(
        _ coordinator: NSPersistentStoreCoordinator,
        isWritable: Bool = true,
        modelSource: String = "program"
    ) {
        self.init(
            coordinator,
            isWritable: isWritable,
            modelSource: modelSource,
            files: coordinator.persistentStores.compactMap(\.url),
            snapshot: nil,
            stamp: ""
        )
    }

    private init(
        _ coordinator: NSPersistentStoreCoordinator,
        isWritable: Bool,
        modelSource: String,
        files: [URL],
        snapshot: OpenedStore?,
        stamp: String
    ) {
        self.coordinator = coordinator
        (self.files, self.snapshot, snapshotStamp) = (files, snapshot, stamp)
        self.isWritable = isWritable && !coordinator.persistentStores.allSatisfy(\.isReadOnly)
        self.modelSource = modelSource
        shapes = EntityShapes(coordinator.managedObjectModel)
        names = ObjectNames(coordinator: coordinator)
        observation = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave,
            object: nil,
            queue: nil
        ) { [weak self] note in
            guard let self, let context = note.object as? NSManagedObjectContext,
                context.persistentStoreCoordinator === self.coordinator
            else { return }
            saves.add(1, ordering: .relaxed)
        }
        remoteObservation = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: coordinator,
            queue: nil
        ) { [weak self] _ in self?.saves.add(1, ordering: .relaxed) }
    }

    deinit {
        for observation in [observation, remoteObservation].compactMap(\.self) {
            NotificationCenter.default.removeObserver(observation)
        }
    }

    var cells: CellReader { CellReader(shapes: shapes, names: names) }

    /// Runs `body` in a new context, whose objects are released afterwards.
    func read<R>(_ body: @escaping (NSManagedObjectContext) throws -> R) async throws -> R {
        let context = NSManagedObjectContext(.privateQueue)
        // The section Live of the studio hides contexts with such names.
        context.name = "studio rows"
        context.persistentStoreCoordinator = coordinator
        return try await context.perform { try body(context) }
    }

    /// Whether the file has changed since its snapshot was opened; always false if the stores themselves are read.
    public var isOutdated: Bool { snapshot != nil && Self.fileStamp(files) != snapshotStamp }

    /// The session of a new snapshot of the file.
    ///
    /// - Returns: The session; this one if the stores themselves are read.
    /// - Throws: 134100 if the file has another version of the model by now, otherwise as `init(store:model:isWritable:)`.
    public func reopened() throws -> BrowsingSession {
        guard let snapshot else { return self }
        let stamp = Self.fileStamp(files)
        let opened = try snapshot.reopened()
        return BrowsingSession(
            opened.coordinator,
            isWritable: false,
            modelSource: modelSource,
            files: files,
            snapshot: opened,
            stamp: stamp
        )
    }

    /// A text that changes whenever a writer has saved: a context of this program, or another process.
    ///
    /// The stamp of a snapshot stays the same.
    public var stamp: String {
        snapshot != nil ? snapshotStamp : "\(saves.load(ordering: .relaxed))-\(Self.fileStamp(files))"
    }

    /// A text that differs if a file or its log has been written; files that cannot be examined count as missing.
    private static func fileStamp(_ files: [URL]) -> String {
        var parts: [String] = []
        for url in files where url.isFileURL {
            for (path, isLog) in [(url.path, false), (url.path + "-wal", true)] {
                // An empty log is the same as none.
                guard let stamp = try? FileStamp(path: path), !isLog || stamp.size > 0 else { continue }
                parts.append(stamp.text)
            }
        }
        return parts.joined(separator: "-")
    }

    /// The entities of the model, sorted by name, with the numbers of their objects.
    ///
    /// O(rows) for each table.
    ///
    /// - Returns: The entities.
    /// - Throws: Errors of the store.
    public func entities() async throws -> [EntitySummary] {
        let (shapes, compiled, coordinator) = (shapes, coordinator.compiledModel, coordinator)
        return try await read { context in
            var ownCounts: [String: Int] = [:]
            for name in shapes.names {
                guard let layout = compiled.byName[name], !coordinator.rowStores(for: layout, among: nil).isEmpty else {
                    continue
                }
                ownCounts[name] = 0
                if layout.isAbstract { continue }
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.includesSubentities = false
                ownCounts[name] = try context.count(for: request)
            }
            func total(_ name: String) -> Int? {
                guard let count = ownCounts[name] else { return nil }
                return count + (shapes[name]?.subentities ?? []).reduce(0) { $0 + (total($1) ?? 0) }
            }
            return shapes.names.compactMap { name in
                shapes[name].map {
                    EntitySummary(
                        name: name,
                        isAbstract: $0.isAbstract,
                        parent: $0.parent,
                        count: ownCounts[name],
                        total: total(name),
                        properties: $0.properties,
                        titleProperty: $0.titleProperty
                    )
                }
            }
        }
    }

    // MARK: Rows

    /// Rows of an entity or of a relationship.
    ///
    /// Needs at most 12 bytes of memory for each row of the view, and objects for the requested rows only.
    ///
    /// - Parameters:
    ///   - request: The part of the rows.
    ///   - staged: Changes that the reader has not saved, to be shown in the rows.
    /// - Returns: The rows.
    /// - Throws: `PredicateProblem` with the place of an error in the predicate, 134060 for unknown names, and errors of
    ///   the store.
    public func window(_ request: RowRequest, staged: StagedEdits? = nil) async throws -> RowWindow {
        let stamp = stamp
        let columns = try shapes.columns(request.columns, of: request.entity)
        let fetch = try viewFetch(request)
        let (lists, view, reader) = (lists, RowLists.View(request), cells)
        let (offset, limit) = (RowLists.clamped(request.offset), min(max(0, request.limit), 2_000))
        let (total, rows) = try await read { [self] context in
            let total = try lists.count(view, stamp) ?? count(fetch, in: context)
            var list = lists.list(view, stamp)
            // The first rows of a view need no list.
            if list == nil, total > 0, offset + limit > 1_000 || fetch.members != nil {
                list = try rowList(fetch, limit: 0, in: context)
            }
            lists.note(view, stamp, count: list?.count ?? total, list: list)
            let part = try list ?? rowList(fetch, limit: offset + limit, in: context)
            let ids = part.objectIDs(offset..<max(offset, min(offset + limit, part.count)))
            return (list?.count ?? total, try Self.rows(ids, columns, reader, in: context))
        }
        var window = RowWindow(
            offset: offset,
            total: total,
            columns: columns,
            rows: rows,
            inserted: [],
            stamp: stamp,
            suggestion: nil
        )
        if let staged { try await staged.show(in: &window, for: request) }
        if total == 0, request.predicate != nil { window.suggestion = try await suggestion(request) }
        return window
    }

    /// The place of an object among the rows of a view; nil if it is not one of them.
    ///
    /// - Parameters:
    ///   - id: The object's name.
    ///   - request: The view.
    /// - Returns: The number of rows before it.
    /// - Throws: As `window(_:staged:)`.
    public func place(of id: String, in request: RowRequest) async throws -> Int? {
        let stamp = stamp
        let objectID = try names.objectID(id)
        let fetch = try viewFetch(request)
        let (lists, view) = (lists, RowLists.View(request))
        return try await read { [self] context in
            let list = try lists.list(view, stamp) ?? rowList(fetch, limit: 0, in: context)
            lists.note(view, stamp, count: list.count, list: list)
            return list.place(of: objectID)
        }
    }

    /// The rows of some objects, in order.
    static func rows(
        _ ids: [NSManagedObjectID],
        _ columns: [PropertySummary],
        _ reader: CellReader,
        in context: NSManagedObjectContext
    ) throws -> [BrowsedRow] {
        guard let first = ids.first else { return [] }
        var objects: [NSManagedObjectID: NSManagedObject] = [:]
        // A key path needs the objects that it leads through.
        let toOne = Set(
            columns.compactMap { column -> String? in
                let steps = column.name.split(separator: ".")
                return column.kind == .toOne
                    ? column.name : steps.count > 1 ? steps.dropLast().joined(separator: ".") : nil
            }
        )
        let toMany = columns.filter { $0.kind == .toMany && !$0.name.contains(".") }.map(\.name)
        var counts: [NSManagedObjectID: [String: Int]] = [:]
        // Objects of one tree are read together; a parent's fetch cannot name the relationships of subentities.
        let groups = Dictionary(grouping: ids) { $0.entity.name ?? first.entity.name ?? "" }
        for (entity, ids) in groups {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: "SELF IN %@", ids)
            request.returnsObjectsAsFaults = false
            let relationships = ids[0].entity.relationshipsByName
            let prefetched = toOne.filter { relationships[String($0.prefix { $0 != "." })] != nil }.sorted()
            if !prefetched.isEmpty { request.relationshipKeyPathsForPrefetching = prefetched }
            for object in try context.fetch(request) { objects[object.objectID] = object }
            let counted = toMany.filter { relationships[$0] != nil }
            if !counted.isEmpty { counts.merge(memberCounts(ids, entity, counted, in: context)) { $1 } }
        }
        return ids.map { id in
            guard let object = objects[id] else {
                let cells = columns.map { _ in BrowserCell(.absent) }
                return BrowsedRow(id: reader.names.name(id), entity: id.entity.name ?? "", cells: cells, state: .gone)
            }
            let cells = columns.map { reader.cell(object, $0, count: counts[id]?[$0.name]) }
            return BrowsedRow(id: reader.names.name(id), entity: object.entity.name ?? "", cells: cells)
        }
    }

    /// The numbers of members of relationships, counted by the store; empty if the store cannot, and the members must
    /// be read.
    private static func memberCounts(
        _ ids: [NSManagedObjectID],
        _ entity: String,
        _ relationships: [String],
        in context: NSManagedObjectContext
    ) -> [NSManagedObjectID: [String: Int]] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "SELF IN %@", ids)
        let selfDescription = NSExpressionDescription()
        selfDescription.name = "self"
        selfDescription.expression = NSExpression.expressionForEvaluatedObject()
        selfDescription.expressionResultType = .objectIDAttributeType
        request.propertiesToFetch =
            [selfDescription]
            + relationships.map { name in
                let count = NSExpressionDescription()
                count.name = name
                count.expression = NSExpression(forKeyPath: "\(name).@count")
                count.expressionResultType = .integer64AttributeType
                return count
            }
        guard let rows = try? context.fetch(request) else { return [:] }
        var result: [NSManagedObjectID: [String: Int]] = [:]
        for row in rows {
            guard let id = row["self"] as? NSManagedObjectID else { continue }
            for name in relationships {
                result[id, default: [:]][name] = (row[name] as? NSNumber)?.intValue ?? row[name] as? Int
            }
        }
        return result
    }

    // MARK: Changes

    /// A sequence that yields the stamp whenever a writer has saved since this call.
    ///
    /// For a snapshot it yields nothing: poll `isOutdated`, and use the session that `reopened()` returns.
    ///
    /// - Parameter interval: The time between two examinations of the stores.
    /// - Returns: The sequence, for one reader; it ends when its task is cancelled.
    public func stamps(every interval: Duration = .milliseconds(300)) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        // Read now: the task may begin after the next save.
        let first = stamp
        let task = Task { [weak self] in
            var last = first
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                guard let stamp = self?.stamp else { break }
                if stamp != last {
                    last = stamp
                    continuation.yield(stamp)
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
