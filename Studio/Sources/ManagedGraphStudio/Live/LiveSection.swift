// The section Live: saves, statements and faults beneath running containers as they happen, and their contexts.
import CoreData
import Foundation
import Hummingbird
import WebSupport

struct LiveSection: StudioSection {
    let name = "live"
    let title = "Live"
    private let feeds: [String: LiveFeed]

    init(_ sources: [StudioSource], journals: [String: SaveJournal]) {
        var feeds: [String: LiveFeed] = [:]
        for source in sources {
            guard case .container(let container, _) = source.kind else { continue }
            feeds[source.id] = LiveFeed(container.persistentStoreCoordinator, journal: journals[source.id])
        }
        self.feeds = feeds
    }

    func suits(_ source: StudioSource) -> Bool { feeds[source.id] != nil }

    func addRoutes(to group: RouterGroup<StudioRequestContext>) {
        group.get("events") { [feeds] request, context -> Response in
            guard let feed = feeds[context.source.id] else { throw HTTPError(.notFound) }
            return OpenResponse.activity(to: request, messages: { feed.subscribe() }, onShutdown: { feed.close() })
        }
    }

    func close() {
        for feed in feeds.values { feed.close() }
    }
}
