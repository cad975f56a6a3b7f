// Query generations: a context pinned to one reads the stores' content at one point in time, regardless of later
// writes. A generation is a separate connection to each store, with an open read transaction.
import Foundation
import GraphEngine

/// A point in time of a coordinator's stores.
///
/// While a token is in use, the stores' logs keep all later writes. If a log outgrows its store (and 16 MB), the token
/// continues with a copy of the store's rows. See
/// [NSQueryGenerationToken](https://developer.apple.com/documentation/coredata/nsquerygenerationtoken).
public final class NSQueryGenerationToken: NSObject, NSCopying, @unchecked Sendable {
    /// A placeholder for the time at which a context is pinned with it.
    public class var current: NSQueryGenerationToken { currentToken }

    private static let currentToken = NSQueryGenerationToken(generations: [])
    /// The generation of each store.
    ///
    /// Contexts that share the token share the connections; only one reads at a time.
    private let generations: [(store: NSPersistentStore, generation: any EngineGeneration)]
    /// Empties large logs that other processes write while the contexts of this token are idle.
    private let timer: (any DispatchSourceTimer)?
    /// The seconds between two checks.
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
            let handle = coordinator.handle
            timer.setEventHandler {
                for store in handle.object(as: NSPersistentStoreCoordinator.self)?.persistentStores ?? [] {
                    (store as? any RowStore)?.generations?.emptyLargeLog()
                }
            }
            timer.resume()
            return timer
        }
    }

    deinit { timer?.cancel() }

    /// Opens a generation of each store that supports them: files with a log.
    static func pin(_ coordinator: NSPersistentStoreCoordinator) throws -> NSQueryGenerationToken {
        var generations: [(store: NSPersistentStore, generation: any EngineGeneration)] = []
        for case let store as any RowStore in coordinator.persistentStores {
            guard let engine = store.generations, engine.hasGenerations else { continue }
            generations.append((store, try store.mapErrors { try engine.readGeneration() }))
        }
        return NSQueryGenerationToken(generations: generations, of: coordinator)
    }

    var isCurrent: Bool { self === Self.currentToken }

    /// The session that reads a store's generation; nil if the store has none or was removed.
    func session(of store: any RowStore) -> (any ReadSession)? {
        let generation = generations.first { $0.store === store }?.generation
        return generation?.isClosed == false ? generation?.session : nil
    }

    /// Returns the token itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A notification key: the generation of a pinned context after its save.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

extension NSManagedObjectContext {
    /// The generation that the context reads; nil if it reads the newest.
    public final var queryGenerationToken: NSQueryGenerationToken? { parentContext?.queryGenerationToken ?? generation }

    /// Pins the context to a generation of its stores, or lets it read the newest again.
    ///
    /// Only SQLite files with a write-ahead log have generations; other stores are unaffected, without an error. A
    /// pinned context's own saves, `mergeChanges`, `reset` and a new parent advance it to the newest. Objects that were
    /// read before keep their values until they are refreshed.
    ///
    /// - Parameter generation: `.current`, another context's token, or nil.
    /// - Throws: 134060 for a context with a parent or without a coordinator, and the stores' errors.
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

    /// Advances a pinned context to the newest generation after a save or a merge.
    final func advanceGeneration() {
        guard generation != nil, let coordinator = registry.coordinator else { return }
        do {
            generation = try NSQueryGenerationToken.pin(coordinator)
        } catch {
            Diagnosis.log.error("The context's query generation cannot be moved on: \(error)")
        }
    }
}
