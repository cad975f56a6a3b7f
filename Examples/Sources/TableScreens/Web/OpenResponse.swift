// A response that stays open, for event streams. It ends when the browser disconnects, when its source ends, or with the
// server.
import HTTPTypes
import Hummingbird
import ServiceLifecycle

enum OpenResponse {
    /// Returns a response that no browser keeps.
    ///
    /// - Parameters:
    ///   - request: The request; its end is that of the response.
    ///   - type: The content type.
    ///   - drafts: The drafts that the browser shows, which stay as long as the response.
    ///   - first: The text that is written at once.
    ///   - write: Writes until the source ends.
    ///   - close: Ends the source; called if the server stops.
    /// - Returns: The response.
    static func make(
        to request: Request,
        type: String,
        keeping drafts: [Draft] = [],
        first: String,
        write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void,
        onShutdown close: @escaping @Sendable () -> Void
    ) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                for draft in drafts { draft.presence.withLock { $0.streams += 1 } }
                defer {
                    for draft in drafts {
                        draft.presence.withLock {
                            $0.streams -= 1
                            $0.lastUse = .now
                        }
                    }
                }
                try await writer.write(ByteBuffer(string: first))
                try await withGracefulShutdownHandler {
                    try await request.body.consumeWithCancellationOnInboundClose { _ in try await write(&writer) }
                } onGracefulShutdown: {
                    close()
                }
                try await writer.finish(nil)
            }
        )
    }
}
