// The section Console: fetches with their SQL and plan, and saved queries.
import Foundation
import GraphBrowsing
import Hummingbird

/// Serves fetches with their plan, and the saved queries of a source.
struct ConsoleSection: StudioSection {
    let name = "console"
    let title = "Console"
    private let routes: BrowsingRoutes
    private let files = QueryFiles()

    init(_ readers: BrowsingReaders) { routes = BrowsingRoutes(readers: readers) }

    func suits(_ source: StudioSource) -> Bool {
        if case .model = source.kind { false } else { true }
    }

    private struct Queries: Encodable {
        let file: String
        let queries: [SavedQuery]
    }

    func addRoutes(to group: RouterGroup<StudioRequestContext>) {
        let (routes, files) = (routes, files)
        routes.addShared(to: group)
        group.post("run") { request, context in
            try await routes.answer {
                let fetch: ConsoleRequest = try await routes.read(request, context)
                return try await routes.readers.session(of: context.source).run(fetch)
            }
        }
        group.get("queries") { _, context in
            try await routes.answer {
                let file = try await files.file(of: context.source, routes.readers)
                return Queries(file: file.url.path, queries: try await file.list())
            }
        }
        group.post("queries") { request, context in
            try await routes.answer {
                let query: SavedQuery = try await routes.read(request, context)
                let file = try await files.file(of: context.source, routes.readers)
                return Queries(file: file.url.path, queries: try await file.save(query))
            }
        }
        group.delete("queries") { request, context in
            try await routes.answer {
                let file = try await files.file(of: context.source, routes.readers)
                return Queries(file: file.url.path, queries: try await file.remove(routes.parameter("name", request)))
            }
        }
    }
}
