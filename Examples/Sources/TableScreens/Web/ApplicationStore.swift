// One application's store: container, context, live tables. The only way to them is `perform`, which runs on the
// context's queue and hands out values.
import CoreData
import Foundation
import Logging

/// An application with its open store.
public final class ApplicationStore: @unchecked Sendable {
    // Unchecked: the context and the tables are touched only inside `perform`; the rest is constant.
    let application: TableApplication
    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext
    private let storeUUID: String
    private let renderer: RowRenderer
    private lazy var tables = LiveTables(context: context, renderer: renderer, watchers: watchers) { [weak self] in
        self?.flushSoon()
    }
    private var isFlushPending = false
    let drafts = Drafts()
    let jobs = JobRunner()
    let watchers = Watchers()
    let logger: Logger

    /// Opens an application's store, made where there is none.
    ///
    /// - Parameters:
    ///   - application: the application.
    ///   - folder: where stores are kept; this one gets `folder/<name>/<model>.sqlite`.
    ///   - renderer: makes the rows' HTML.
    ///   - logger: gets what happens while nobody is there to be told.
    /// - Returns: the application with its open store.
    /// - Throws: the store's error, 134100 where the model does not fit it.
    static func open(
        _ application: TableApplication,
        in folder: URL,
        renderer: RowRenderer,
        logger: Logger
    ) async throws -> ApplicationStore {
        let home = folder.appendingPathComponent(application.name)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let container = NSPersistentContainer(name: application.modelName)
        let description = NSPersistentStoreDescription(
            url: home.appendingPathComponent("\(application.modelName).sqlite")
        )
        description.shouldMigrateStoreAutomatically = application.migration == .automatic
        description.shouldInferMappingModelAutomatically = application.migration == .automatic
        container.persistentStoreDescriptions = [description]
        let failure: (any Error)? = await withCheckedContinuation { continuation in
            container.loadPersistentStores { _, error in continuation.resume(returning: error) }
        }
        if let failure { throw failure }
        return ApplicationStore(application, container, renderer, logger)
    }

    private init(
        _ application: TableApplication,
        _ container: NSPersistentContainer,
        _ renderer: RowRenderer,
        _ logger: Logger
    ) {
        self.logger = logger
        self.application = application
        self.container = container
        self.renderer = renderer
        // A private queue and not `viewContext`: the server has no main queue to serve, and one application should
        // not wait for another.
        context = container.newBackgroundContext()
        // Drafts and jobs save in contexts of their own.
        context.automaticallyMergesChangesFromParent = true
        storeUUID = container.persistentStoreCoordinator.persistentStores.first?.identifier ?? ""
    }

    /// What `perform` gives: the context and the tables, on the context's queue.
    struct Turn {
        /// The application's context, or a draft's.
        let context: NSManagedObjectContext
        /// The application's.
        let parent: NSManagedObjectContext
        let tables: LiveTables
        let storeUUID: String

        /// The same with the application's context: what is saved, while a draft is edited.
        var shared: Turn { Turn(context: parent, parent: parent, tables: tables, storeUUID: storeUUID) }
    }

    /// Runs work on the context's queue; row changes go out to the browsers when it has ended.
    func perform<T: Sendable>(_ work: @escaping @Sendable (Turn) throws -> T) async throws -> T {
        try await context.perform { [self] in
            defer { flush() }
            return try work(Turn(context: context, parent: context, tables: tables, storeUUID: storeUUID))
        }
    }

    /// Runs work on a draft, on whose queue this is called.
    func nested<T>(in draft: NSManagedObjectContext, _ work: (Turn) throws -> T) throws -> T {
        try context.performAndWait {
            defer { flush() }
            return try work(Turn(context: draft, parent: context, tables: tables, storeUUID: storeUUID))
        }
    }

    func makeDraft(_ key: Draft.Key, _ screen: any DraftScreen, _ hit: Hit) -> Draft {
        Draft(key, screen, hit, parent: context)
    }

    /// Runs work with a context of its own, for imports.
    ///
    /// - Parameter work: gets the context, on its queue.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws.
    public func performInBackground<T: Sendable>(
        _ work: @escaping @Sendable (NSManagedObjectContext) throws -> T
    ) async throws -> T {
        let context = container.newBackgroundContext()
        return try await context.perform { try work(context) }
    }

    /// Waits until the application's context has taken in what has been saved so far.
    func catchUp() { context.performAndWait { flush() } }

    func newBackgroundContext() -> NSManagedObjectContext { container.newBackgroundContext() }

    /// Ends the event streams.
    func closeStreams() async {
        try? await perform { $0.tables.close() }
    }

    /// Saves what is unsaved, and lets go of the store.
    func close() async throws {
        await jobs.close()
        await closeDrafts()
        try await perform { turn in
            if turn.context.hasChanges { try turn.context.save() }
        }
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private func flush() {
        isFlushPending = false
        tables.flush()
    }

    /// Changes can come from another context's save, outside `perform`.
    private func flushSoon() {
        guard !isFlushPending else { return }
        isFlushPending = true
        context.perform { [weak self] in self?.flush() }
    }
}
