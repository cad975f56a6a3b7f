// Opens a model or a store from the first page: POST /studio/api/open. The place is in the body of the request, as addresses
// of databases can contain passwords; the response contains only the name of the new source.
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

struct OpenRoute {
    private struct Choice: Decodable {
        var place: String
    }

    private struct Opened: Encodable {
        var id: String
    }

    static func add(to router: some RouterMethods<StudioRequestContext>, _ sources: StudioSources) {
        router.post("/studio/api/open") { request, context -> Response in
            let choice = try await request.decode(as: Choice.self, context: context)
            let source = try await StudioSource.onThread { try sources.open(choice.place) }
            return try .encoded(Opened(id: source.id))
        }
    }
}
