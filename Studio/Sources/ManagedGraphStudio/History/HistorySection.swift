// The section History: the saves that a store keeps, the states of an object, and putting it back.
import CoreData
import Foundation
import Hummingbird
import WebSupport

struct HistorySection: StudioSection {
    let name = "history"
    let title = "History"
    let journals: [String: SaveJournal]

    func suits(_ source: StudioSource) -> Bool {
        if case .model = source.kind { false } else { true }
    }

    func addRoutes(to group: RouterGroup<StudioRequestContext>) {
        group.get("transactions") { [journals] request, context -> Response in
            let query = request.uri.queryParameters
            let timeline = try await HistoryTimeline.read(
                context.source,
                journal: journals[context.source.id],
                entity: query.get("entity").flatMap { $0.isEmpty ? nil : $0 }
            )
            return try .encoded(timeline)
        }
        group.get("object") { [journals] request, context -> Response in
            let uri = try request.uri.queryParameters.require("uri")
            return try .encoded(
                try await ObjectHistory.read(uri, of: context.source, journal: journals[context.source.id])
            )
        }
        group.post("restore") { [journals] request, context -> Response in
            let wish = try await request.decode(as: Restoration.Wish.self, context: context)
            return try .encoded(
                try await Restoration.restore(wish, in: context.source, journal: journals[context.source.id])
            )
        }
    }
}
