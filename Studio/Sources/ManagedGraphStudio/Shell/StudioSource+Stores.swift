// Opens the stores of a source for one piece of work. Used by the sections History and Migrate, and by the list of entities.
import CoreData
import Foundation
import GraphUpkeep

extension StudioSource {
    /// Runs work on a context of the source's stores, which sees their state of this moment.
    ///
    /// A store file is read without being disturbed; a running container is read through a context of its coordinator.
    func read<T: Sendable>(_ work: @escaping @Sendable (NSManagedObjectContext) throws -> T) async throws -> T {
        let coordinator: NSPersistentStoreCoordinator
        switch kind {
        case .container(let container, _): coordinator = container.persistentStoreCoordinator
        case .store(let url, _): coordinator = try await Self.onThread { try StoreOpening.snapshot(of: url) }
        case .model: throw StudioError("A model has no rows.", remedy: "Choose a store in the bar.")
        }
        return try await Self.perform(on: coordinator, author: nil, work)
    }

    /// Runs work on a context that may save.
    ///
    /// - Throws: An error with status 403 if the source is read-only.
    func write<T: Sendable>(
        author: String,
        _ work: @escaping @Sendable (NSManagedObjectContext) throws -> T
    ) async throws -> T {
        switch kind {
        case .container(let container, _):
            return try await Self.perform(on: container.persistentStoreCoordinator, author: author, work)
        case .store(let url, true):
            let coordinator = try await Self.onThread { try StoreOpening.writable(url) }
            defer {
                for store in coordinator.persistentStores { try? coordinator.remove(store) }
            }
            return try await Self.perform(on: coordinator, author: author, work)
        case .store, .model:
            throw StudioError.readOnly
        }
    }

    private static func perform<T: Sendable>(
        on coordinator: NSPersistentStoreCoordinator,
        author: String?,
        _ work: @escaping @Sendable (NSManagedObjectContext) throws -> T
    ) async throws -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.name = LiveFeed.ownPrefix
        context.transactionAuthor = author
        return try await context.perform {
            defer { context.reset() }
            return try work(context)
        }
    }

    /// Runs blocking work on a separate thread, so that requests do not wait for each other.
    static func onThread<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    /// The model of the source, without classes of a program if it is a file.
    func model() async throws -> NSManagedObjectModel {
        switch kind {
        case .container(let container, _): return container.managedObjectModel
        case .store(let url, _):
            return try await Self.onThread { try StoreOpening.snapshot(of: url).managedObjectModel }
        case .model(let url):
            return try await Self.onThread {
                guard let model = NSManagedObjectModel(contentsOf: url) else {
                    throw StudioError(
                        "The model \(url.lastPathComponent) cannot be read.",
                        remedy: "The section Model and managedgraph model check name the reason.",
                        status: .unprocessableContent
                    )
                }
                return model
            }
        }
    }
}

extension StudioError {
    static let readOnly = StudioError(
        "The store is read-only.",
        reason: "The studio was started without permission to change stores.",
        remedy: "Start the studio with --write.",
        status: .forbidden
    )
}
