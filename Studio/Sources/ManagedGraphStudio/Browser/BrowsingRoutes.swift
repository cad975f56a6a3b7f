// Parts that the routes of Data and Console share: values as JSON, names of readers, predicates as they are typed.
import Foundation
import GraphBrowsing
import HTTPTypes
import Hummingbird
import WebSupport

/// Helpers of routes.
struct BrowsingRoutes: Sendable {
    let readers: BrowsingReaders

    /// A predicate that is being typed.
    struct Typed: Decodable {
        let entity: String
        let format: String
        var position: Int?
    }

    /// The entities, and whether a reader may change their rows.
    struct Contents: Encodable {
        let entities: [EntitySummary]
        let isWritable: Bool
        let modelSource: String
        let stamp: String
    }

    /// Adds the routes that both sections have.
    func addShared(to group: RouterGroup<StudioRequestContext>) {
        group.get("entities") { _, context in
            try await answer {
                let session = try await readers.session(of: context.source)
                return try await Contents(
                    entities: session.entities(),
                    isWritable: session.isWritable,
                    modelSource: session.modelSource,
                    stamp: session.stamp
                )
            }
        }
        group.post("check") { request, context in
            try await answer {
                let typed: Typed = try await read(request, context)
                return try await readers.session(of: context.source).check(typed.format, entity: typed.entity)
            }
        }
        group.post("complete") { request, context in
            try await answer {
                let typed: Typed = try await read(request, context)
                return try await readers.session(of: context.source).complete(
                    typed.format,
                    at: typed.position ?? typed.format.count,
                    entity: typed.entity
                )
            }
        }
    }

    /// Reads the JSON of a request.
    func read<Value: Decodable>(_ request: Request, _ context: StudioRequestContext) async throws -> Value {
        var request = request
        let buffer = try await request.collectBody(upTo: context.maxUploadSize)
        return try JSONDecoder().decode(Value.self, from: Data(buffer.readableBytesView))
    }

    /// The edits of the reader that a request names.
    func edits(_ request: Request, _ context: StudioRequestContext) async throws -> StagedEdits {
        let reader = request.uri.queryParameters["reader"].map(String.init) ?? ""
        guard (8...64).contains(reader.utf8.count) else {
            throw StudioError("The request names no reader.", remedy: "Reload the page.")
        }
        return try await readers.edits(of: context.source, reader: reader)
    }

    /// A required parameter of an address.
    func parameter(_ name: String, _ request: Request) throws -> String {
        guard let value = request.uri.queryParameters[Substring(name)] else {
            throw StudioError("The address has no \(name).", remedy: "Reload the page.")
        }
        return String(value)
    }

    /// Answers with a value as JSON; an error of a predicate keeps its place.
    func answer<Value: Encodable>(_ body: () async throws -> Value) async throws -> Response {
        do {
            return .json(String(decoding: try JSONEncoder().encode(try await body()), as: UTF8.self))
        } catch let problem as PredicateProblem {
            throw StudioError(
                problem.message,
                remedy: problem.remedy,
                place: problem.place,
                status: .unprocessableContent
            )
        }
    }
}
