// The activity beneath one application's store, as messages for open panels.
import CoreData
import GraphUpkeep
import Synchronization
import WebSupport

final class ActivityFeed: Sendable {
    private let feed: PacedFeed<ActivityEntry>
    private let context: NSManagedObjectContext
    private let registered: Registered

    /// The number of objects in the application's context, noted on its queue.
    private final class Registered: Sendable {
        let count = Atomic<Int>(0)
    }

    /// - Parameters:
    ///   - coordinator: The coordinator to observe.
    ///   - context: The application's context.
    ///   - ended: Called when the observation has ended.
    init(
        _ coordinator: NSPersistentStoreCoordinator,
        _ context: NSManagedObjectContext,
        ended: @escaping @Sendable () -> Void
    ) {
        let registered = Registered()
        // Distinguishes the entries' numbers from those of an earlier run of the server.
        let token = String(UInt64.random(in: .min ... .max), radix: 36)
        self.context = context
        self.registered = registered
        feed = PacedFeed(
            begin: { feed in
                let observation = coordinator.observeActivity { [weak feed] in
                    let entry = ActivityEntry.activity($0)
                    if !entry.isInspection { feed?.record(entry) }
                }
                return { observation.cancel() }
            },
            print: \.json,
            figures: {
                Self.figures(coordinator, context, token, registered: registered.count.load(ordering: .relaxed))
            },
            ended: ended
        )
    }

    var isObserved: Bool { feed.isObserved }

    func record(_ entry: ActivityEntry) {
        if !entry.isInspection { feed.record(entry) }
    }

    /// Notes the number of objects in the application's context; called on its queue.
    func noteRegistered() {
        guard isObserved else { return }
        registered.count.store(context.registeredObjectCount, ordering: .relaxed)
    }

    func touch() { feed.touch() }

    func subscribe() -> AsyncStream<String> { feed.subscribe() }

    func beat() { feed.beat() }

    func close() { feed.close() }

    private static func figures(
        _ coordinator: NSPersistentStoreCoordinator,
        _ context: NSManagedObjectContext,
        _ token: String,
        registered: Int
    ) -> JSONValue {
        let statistics = coordinator.statistics
        let store = coordinator.persistentStores.first
        let sizes = store?.fileSizes
        return .object([
            ("token", .string(token)), ("statements", .integer(Int(statistics.statements))),
            ("transactions", .integer(Int(statistics.transactions))),
            ("faults", .integer(Int(context.statistics.faultsFired))), ("registered", .integer(registered)),
            ("file", .string(store?.url.map(StoreAddress.shown) ?? "")), ("main", .integer(sizes?.main ?? 0)),
            ("log", .integer(sizes?.log ?? 0)),
        ])
    }
}
