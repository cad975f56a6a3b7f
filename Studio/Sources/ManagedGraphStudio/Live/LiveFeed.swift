// The activity beneath one running container, as messages for open pages. It observes only while a page is open.
import CoreData
import Foundation
import GraphUpkeep
import Synchronization
import WebSupport

final class LiveFeed: Sendable {
    /// The interval between two readings of the figures.
    private static let interval = Duration.seconds(1)
    /// The prefix of the names of the studio's own contexts.
    static let ownPrefix = "studio"

    private let coordinator: NSPersistentStoreCoordinator
    private let feed: PacedFeed<LiveEntry>
    private let contexts: ContextFigures
    private let reading = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - coordinator: The coordinator to observe.
    ///   - journal: Receives the saves, for the section History.
    init(_ coordinator: NSPersistentStoreCoordinator, journal: SaveJournal?) {
        let contexts = ContextFigures(coordinator)
        let guardian = RowByRowGuard(coordinator.managedObjectModel)
        self.coordinator = coordinator
        self.contexts = contexts
        // Distinguishes the entries' numbers from those of an earlier run of the program.
        let token = String(UInt64.random(in: .min ... .max), radix: 36)
        feed = PacedFeed(
            begin: { feed in
                let observation = coordinator.observeActivity(recordsValues: true) { [weak feed] activity in
                    if case .statement(let statement) = activity, case .inspection = statement.cause { return }
                    if case .saveFinished(let save) = activity, !save.isSavedToParent { journal?.add(save) }
                    feed?.record(.activity(activity, at: Date()))
                }
                return { observation.cancel() }
            },
            digest: guardian.digest,
            print: \.json,
            figures: { Self.figures(coordinator, contexts, token) }
        )
    }

    func subscribe() -> AsyncStream<String> {
        let messages = feed.subscribe()
        readFigures()
        return messages
    }

    func close() {
        reading.withLock { $0 }?.cancel()
        feed.close()
    }

    /// Sends the figures every second while a page is open.
    private func readFigures() {
        reading.withLock { task in
            guard task == nil else { return }
            task = Task { [weak self, contexts] in
                repeat {
                    contexts.read()
                    try? await Task.sleep(for: Self.interval)
                    self?.feed.sendFigures()
                } while self?.goesOn() == true && !Task.isCancelled
            }
        }
    }

    /// Whether a page is open; otherwise the next page begins a new reading.
    private func goesOn() -> Bool {
        reading.withLock { task in
            if !feed.isObserved { task = nil }
            return task != nil
        }
    }

    private static func figures(
        _ coordinator: NSPersistentStoreCoordinator,
        _ contexts: ContextFigures,
        _ token: String
    ) -> JSONValue {
        let statistics = coordinator.statistics
        let stores = coordinator.persistentStores.map { store -> JSONValue in
            let sizes = store.fileSizes
            return .object([
                ("path", .string(store.url.map(StoreAddress.shown) ?? "")), ("type", .string(store.type)),
                ("main", .integer(sizes?.main ?? 0)), ("log", .integer(sizes?.log ?? 0)),
                ("readOnly", .integer(store.isReadOnly ? 1 : 0)),
            ])
        }
        return .object([
            ("token", .string(token)), ("statements", .integer(Int(statistics.statements))),
            ("rows", .integer(Int(statistics.rowsRead))), ("written", .integer(Int(statistics.rowsWritten))),
            ("transactions", .integer(Int(statistics.transactions))), ("memory", .integer(ProcessMemory.resident)),
            ("contexts", contexts.json), ("stores", .array(stores)),
        ])
    }
}
