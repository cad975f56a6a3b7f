// Query generations: a context that is pinned to one reads what the stores held at one moment, whatever others write. A
// generation is a connection of its own for each store, inside of a read transaction that stays open.
import Foundation
import GraphEngine

/// A moment in the life of a coordinator's stores.
///
/// As long as a token is in use, the stores' logs keep what was written since. Where a log outgrows its store (and 16 MB),
/// the token goes on with a copy of the store's rows. See
/// [NSQueryGenerationToken](https://developer.apple.com/documentation/coredata/nsquerygenerationtoken).
public final class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    /// Stands for the moment at which a context is pinned with it.
    public class var current: NSQueryGenerationToken { currentToken }

    private static let currentToken = NSQueryGenerationToken(generations: [])
    /// What each store held.
    ///
    /// Contexts that share the token share the connections: one reads at a time.
    private let generations: [(store: NSPersistentStore, generation: any EngineGeneration)]
    /// Looks after logs that other processes fill while the contexts of this token are idle.
    private let timer: (any DispatchSourceTimer)?
    /// Seconds between two looks.
    private static let interval = 1

    private init(
        generations: [(store: NSPersistentStore, generation: any EngineGeneration)],
        of coordinator: NSPersistentStoreCoordinator? = nil
    ) {
        self.generations = generations
        timer = coordinator.map { coordinator in
            let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            timer.schedule(
                deadline: .now() + .seconds(Self.interval),
                repeating: .seconds(Self.interval),
                leeway: .milliseconds(200)
            )
            timer.setEventHandler { [weak coordinator] in
                for store in coordinator?.persistentStores ?? [] {
                    (store as? any RowStore)?.generations?.emptyLargeLog()
                }
            }
            timer.resume()
            return timer
        }
    }

    deinit { timer?.cancel() }

    /// Opens a generation of all stores that can have one: files with a log.
    static func pin(_ coordinator: NSPersistentStoreCoordinator) throws -> NSQueryGenerationToken {
        var generations: [(store: NSPersistentStore, generation: any EngineGeneration)] = []
        for case let store as any RowStore in coordinator.persistentStores {
            guard let engine = store.generations, engine.hasGenerations else { continue }
            generations.append((store, try store.mapErrors { try engine.readGeneration() }))
        }
        return NSQueryGenerationToken(generations: generations, of: coordinator)
    }

    var isCurrent: Bool { self === Self.currentToken }

    /// What reads a store as it was; nil where the store has no generations, or was removed.
    func session(of store: any RowStore) -> (any ReadSession)? {
        let found = generations.first { $0.store === store }?.generation
        return found?.isClosed == false ? found?.session : nil
    }

    /// Returns the token itself, which cannot change.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Notification entry: the generation that a pinned context has after its save.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

extension NSManagedObjectContext {
    /// The generation that the context reads; nil where it reads the newest.
    public final var queryGenerationToken: NSQueryGenerationToken? { parentContext?.queryGenerationToken ?? generation }

    /// Pins the context to a generation of its stores, or lets it read the newest again.
    ///
    /// Stores of other kinds than SQLite files with a write-ahead log have no generations and stay as they are, without an
    /// error.
    /// A pinned context's own saves, `mergeChanges`, `reset` and a new parent move it on to the newest. Objects that were
    /// read before keep their values until they are refreshed.
    ///
    /// - Parameter generation: `.current`, another context's token, or nil.
    /// - Throws: 134060 for a context with a parent or without a coordinator, and what the
    ///   stores report.
    public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        guard let generation else {
            self.generation = nil
            return
        }
        guard parentContext == nil else {
            throw CoreDataError.make(
                NSCoreDataError,
                "A context with a parent reads its parent, which has the generation.",
                remedy: "Pin the root context."
            )
        }
        let coordinator = try requireCoordinator()
        self.generation = generation.isCurrent ? try NSQueryGenerationToken.pin(coordinator) : generation
    }

    /// After a save or a merge: on to the newest, where the context is pinned.
    final func advanceGeneration() {
        guard generation != nil, let coordinator = registry.coordinator else { return }
        do {
            generation = try NSQueryGenerationToken.pin(coordinator)
        } catch {
            Diagnosis.log.error("The context's query generation cannot be moved on: \(error)")
        }
    }
}
