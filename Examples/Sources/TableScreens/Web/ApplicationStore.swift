// One application's store: container, context and live tables. Access is only through `perform`, which runs on the
// context's queue and returns values.
import CoreData
import Foundation
import Logging

/// An application with its open store.
public final class ApplicationStore: @unchecked Sendable {
    // Unchecked: the context and the tables are used only inside `perform`; the rest is constant.
    let application: TableApplication
    /// Whether the store was created when it was opened.
    let isNew: Bool
    /// The container of the open store.
    public let container: NSPersistentContainer
    private let context: NSManagedObjectContext
    private let storeUUID: String
    private let renderer: RowRenderer
    private lazy var tables = LiveTables(
        context: context,
        renderer: renderer,
        watchers: watchers,
        activity: activity
    ) { [weak self] in
        self?.flushSoon()
    }
    private let newObjects = NewObjects()
    private let deletions = KeptDeletions()
    private var isFlushPending = false
    /// Merges the saves of other processes; nil for stores in files, which one process has open.
    private var remoteSaves: RemoteSaves?
    let drafts = Drafts()
    let jobs = JobRunner()
    let watchers = Watchers()
    /// The activity beneath the screens, for open panels.
    let activity: ActivityFeed
    private let inspector: ObjectInspector
    let logger: Logger

    /// Opens an application's store, creating it if there is none.
    ///
    /// - Parameters:
    ///   - application: The application.
    ///   - place: The place of all stores.
    ///   - renderer: Renders the rows as HTML.
    ///   - logger: Receives errors that cannot be shown to a reader.
    /// - Returns: The application with its open store.
    /// - Throws: The store's error, 134100 if the model is incompatible with it.
    static func open(
        _ application: TableApplication,
        in place: StorePlace,
        renderer: RowRenderer,
        logger: Logger
    ) async throws -> ApplicationStore {
        let container = NSPersistentContainer(name: application.modelName)
        let description = try place.description(of: application)
        let isNew = place.isVacant(description)
        description.shouldMigrateStoreAutomatically = application.migration == .automatic
        description.shouldInferMappingModelAutomatically = application.migration == .automatic
        if application.keepsHistory {
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        container.persistentStoreDescriptions = [description]
        let failure: (any Error)? = await withCheckedContinuation { continuation in
            container.loadPersistentStores { _, error in continuation.resume(returning: error) }
        }
        if let failure { throw failure }
        return ApplicationStore(application, container, renderer, logger, isNew: isNew)
    }

    private init(
        _ application: TableApplication,
        _ container: NSPersistentContainer,
        _ renderer: RowRenderer,
        _ logger: Logger,
        isNew: Bool
    ) {
        self.isNew = isNew
        self.logger = logger
        self.application = application
        self.container = container
        self.renderer = renderer
        // A private queue instead of `viewContext`: the server does not run a main queue, and applications should not
        // wait for each other.
        let context = container.newBackgroundContext()
        context.name = "application"
        self.context = context
        let inspector = ObjectInspector()
        self.inspector = inspector
        activity = ActivityFeed(container.persistentStoreCoordinator, context) {
            context.perform { inspector.release() }
        }
        // Drafts and jobs save from other contexts.
        context.automaticallyMergesChangesFromParent = true
        storeUUID = container.persistentStoreCoordinator.persistentStores.first?.identifier ?? ""
        if container.persistentStoreCoordinator.persistentStores.first?.url?.isFileURL == false {
            remoteSaves = RemoteSaves(
                container.persistentStoreCoordinator,
                into: context,
                logger,
                merged: { [weak self] in self?.flush() },
                missed: { [weak self] in self?.tables.reload() }
            )
            context.transactionAuthor = RemoteSaves.author
        }
    }

    /// The contexts and tables passed to work on the context's queue.
    struct Turn {
        /// The application's context, or a draft's.
        let context: NSManagedObjectContext
        /// The application's context.
        let parent: NSManagedObjectContext
        let tables: LiveTables
        let newObjects: NewObjects
        let deletions: KeptDeletions
        let storeUUID: String

        /// The same with the application's context, to read saved values while a draft is edited.
        var shared: Turn {
            Turn(
                context: parent,
                parent: parent,
                tables: tables,
                newObjects: newObjects,
                deletions: deletions,
                storeUUID: storeUUID
            )
        }
    }

    /// Runs work on the context's queue, and then sends the row changes to the browsers.
    func perform<T: Sendable>(_ work: @escaping @Sendable (Turn) throws -> T) async throws -> T {
        try await context.perform { [self] in
            defer { flush() }
            return try work(turn(context))
        }
    }

    /// Runs work on a draft; must be called on the draft's queue.
    func nested<T>(in draft: NSManagedObjectContext, _ work: (Turn) throws -> T) throws -> T {
        try context.performAndWait {
            defer {
                flush()
                if activity.isObserved { activity.record(.edited) }
            }
            return try work(turn(draft))
        }
    }

    private func turn(_ context: NSManagedObjectContext) -> Turn {
        Turn(
            context: context,
            parent: self.context,
            tables: tables,
            newObjects: newObjects,
            deletions: deletions,
            storeUUID: storeUUID
        )
    }

    /// Runs work with the inspector of objects on the context's queue.
    func inspect<T: Sendable>(_ work: @escaping @Sendable (ObjectInspector, Turn) throws -> T) async throws -> T {
        try await perform { [inspector] in try work(inspector, $0) }
    }

    func makeDraft(_ key: Draft.Key, _ screen: any DraftScreen, _ requestContext: RequestContext) -> Draft {
        Draft(key, screen, requestContext, parent: context)
    }

    /// Runs work in a separate context, for imports.
    ///
    /// - Parameter work: The work, called with the context on its queue.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    public func performInBackground<T: Sendable>(
        _ work: @escaping @Sendable (NSManagedObjectContext) throws -> T
    ) async throws -> T {
        let context = newBackgroundContext()
        return try await context.perform { try work(context) }
    }

    /// Waits until the application's context has merged all previous saves.
    func catchUp() { context.performAndWait { flush() } }

    /// Creates a context for work beside the application's own.
    ///
    /// - Returns: A context with a private queue over the application's store.
    public func newBackgroundContext() -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.name = "background"
        if remoteSaves != nil { context.transactionAuthor = RemoteSaves.author }
        return context
    }

    /// The note of a deletion that can still be undone; called on the context's queue.
    func deletionNote(_ token: String) -> String? { deletions.note(token) }

    /// Ends the event streams.
    func closeStreams() async {
        activity.close()
        try? await perform { $0.tables.close() }
    }

    /// Saves unsaved changes and closes the store.
    func close() async throws {
        remoteSaves?.stop()
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
        activity.noteRegistered()
    }

    /// Other contexts' saves change objects outside of `perform`.
    private func flushSoon() {
        guard !isFlushPending else { return }
        isFlushPending = true
        context.perform { [weak self] in self?.flush() }
    }
}
