// The section Data: rows of entities in a grid, edited through the object graph.
import Foundation
import GraphBrowsing
import HTTPTypes
import Hummingbird
import WebSupport

/// The browser of rows.
struct DataSection: StudioSection {
    let name = "data"
    let title = "Data"
    let routes: BrowsingRoutes
    private let streams = DataStreams()

    init(_ readers: BrowsingReaders) { routes = BrowsingRoutes(readers: readers) }

    func suits(_ source: StudioSource) -> Bool {
        if case .model = source.kind { false } else { true }
    }

    func close() { streams.close() }

    private struct Place: Codable {
        var place: Int?
    }

    private struct PlaceRequest: Decodable {
        let id: String
        let request: RowRequest
    }

    private struct Names: Decodable {
        let ids: [String]
    }

    private struct Edits: Decodable {
        let edits: [StagedEdit]
    }

    private struct Choices: Decodable {
        let choices: [ConflictChoice]
    }

    func addRoutes(to group: RouterGroup<StudioRequestContext>) {
        let routes = routes
        routes.addShared(to: group)
        group.post("rows") { request, context in
            try await routes.answer {
                let rowRequest: RowRequest = try await routes.read(request, context)
                let edits = try await routes.edits(request, context)
                return try await edits.session.window(rowRequest, staged: edits)
            }
        }
        group.post("place") { request, context in
            try await routes.answer {
                let placeRequest: PlaceRequest = try await routes.read(request, context)
                let session = try await routes.readers.session(of: context.source)
                return Place(place: try await session.place(of: placeRequest.id, in: placeRequest.request))
            }
        }
        group.get("object") { request, context in
            try await routes.answer {
                let edits = try await routes.edits(request, context)
                return try await edits.session.object(routes.parameter("id", request), staged: edits)
            }
        }
        group.get("candidates") { request, context in
            try await routes.answer {
                try await routes.readers.session(of: context.source).candidates(
                    routes.parameter("entity", request),
                    search: routes.parameter("search", request)
                )
            }
        }
        group.get("binary") { request, context in try await binary(request, context) }
        group.get("export") { request, context in try await export(request, context) }
        group.get("changes") { request, context in try await changes(request, context) }
        addEditing(to: group)
    }

    private func addEditing(to group: RouterGroup<StudioRequestContext>) {
        let routes = routes
        group.get("staged") { request, context in
            try await routes.answer { try await routes.edits(request, context).state() }
        }
        group.post("forecast") { request, context in
            try await routes.answer {
                let names: Names = try await routes.read(request, context)
                return try await routes.edits(request, context).forecastDeletion(of: names.ids)
            }
        }
        group.post("apply") { request, context in
            try await routes.answer {
                let edits: Edits = try await routes.read(request, context)
                return try await routes.edits(request, context).apply(edits.edits)
            }
        }
        group.post("resolve") { request, context in
            try await routes.answer {
                let choices: Choices = try await routes.read(request, context)
                return try await routes.edits(request, context).resolve(choices.choices)
            }
        }
        group.post("undo") { request, context in
            try await routes.answer { try await routes.edits(request, context).undo() }
        }
        group.post("redo") { request, context in
            try await routes.answer { try await routes.edits(request, context).redo() }
        }
        group.post("discard") { request, context in
            try await routes.answer { try await routes.edits(request, context).discard() }
        }
        group.post("save") { request, context in
            try await routes.answer { try await routes.edits(request, context).save() }
        }
    }

    /// The bytes of a binary attribute: pictures as such, all else to be saved as a file.
    private func binary(_ request: Request, _ context: StudioRequestContext) async throws -> Response {
        let edits = try await routes.edits(request, context)
        let property = try routes.parameter("property", request)
        let value = try await edits.session.binary(property, of: routes.parameter("id", request), staged: edits)
        guard let value else {
            throw StudioError("\(property) has no value.", remedy: "Reload the page.", status: .notFound)
        }
        var headers = HTTPFields()
        headers[.contentType] = value.mediaType
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.xContentTypeOptions] = "nosniff"
        if value.mediaType == "application/octet-stream" { headers[.contentDisposition] = "attachment" }
        var data = value.data
        // A page that shows the bytes needs only the first ones.
        if let limit = request.uri.queryParameters["limit"].flatMap({ Int($0) }) { data = data.prefix(max(0, limit)) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// All rows of a view as a file, written as they are read.
    private func export(_ request: Request, _ context: StudioRequestContext) async throws -> Response {
        let session = try await routes.readers.session(of: context.source)
        let requestText = try routes.parameter("request", request)
        let rowRequest = try JSONDecoder().decode(RowRequest.self, from: Data(requestText.utf8))
        guard let form = ExportForm(rawValue: try routes.parameter("form", request)) else {
            throw StudioError("There is no such form of an export.", remedy: "Use json or csv.")
        }
        // Errors of the request are reported before the response begins.
        var probe = rowRequest
        (probe.limit, probe.offset) = (1, 0)
        _ = try await session.window(probe)
        var headers = HTTPFields()
        headers[.contentType] = form == .json ? "application/json" : "text/csv; charset=utf-8"
        headers[.contentDisposition] =
            "attachment; filename=\"\(rowRequest.entity.filter(\.isLetter)).\(form.rawValue)\""
        headers[.xContentTypeOptions] = "nosniff"
        let body = ResponseBody { writer in
            let target = WriterBox(writer)
            try await session.export(rowRequest, as: form) { try await target.write($0) }
            try await target.writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// An event for each save of any writer.
    private func changes(_ request: Request, _ context: StudioRequestContext) async throws -> Response {
        let (readers, source) = (routes.readers, context.source)
        _ = try await readers.session(of: source)
        let (messages, continuation) = AsyncStream.makeStream(
            of: (name: String, data: String).self,
            bufferingPolicy: .bufferingNewest(4)
        )
        let task = Task {
            var last = ""
            while !Task.isCancelled {
                // The session of a file changes with the file; a file that cannot be read at the moment is retried.
                if let stamp = try? await readers.session(of: source).stamp, stamp != last {
                    last = stamp
                    continuation.yield(("stamp", "\"\(stamp)\""))
                }
                try? await Task.sleep(for: .milliseconds(300))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        streams.add(task)
        return OpenResponse.events(to: request, { messages }, onShutdown: { continuation.finish() })
    }

    /// Passes a writer to a closure that writes in portions.
    private final class WriterBox {
        var writer: any ResponseBodyWriter

        init(_ writer: any ResponseBodyWriter) { self.writer = writer }

        func write(_ data: Data) async throws { try await writer.write(ByteBuffer(bytes: data)) }
    }
}
