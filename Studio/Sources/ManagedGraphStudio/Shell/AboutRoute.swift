// The entities of a source, for the command palette: GET /studio/api/SOURCE/about.
import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

struct AboutRoute {
    /// A source in short.
    struct About: Encodable {
        var entities: [String]
    }

    static func add(to group: RouterGroup<StudioRequestContext>) {
        group.get("about") { _, context -> Response in
            let model = try await context.source.model()
            return try .encoded(About(entities: model.entities.compactMap(\.name).sorted()))
        }
    }
}

extension Response {
    /// Returns a value as JSON.
    static func encoded(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return .json(String(decoding: try encoder.encode(value), as: UTF8.self), status: status)
    }
}
