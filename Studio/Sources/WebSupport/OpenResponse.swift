// A response that stays open, for event streams. It ends when the browser disconnects, when its source ends, or with the
// server.
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// Responses that stay open.
public enum OpenResponse {
    /// Returns a response that no browser keeps.
    ///
    /// - Parameters:
    ///   - request: The request; its end is that of the response.
    ///   - type: The content type.
    ///   - first: The text that is written immediately.
    ///   - began: Called before the first text is written.
    ///   - ended: Called when the response has ended, if it began.
    ///   - write: Writes until the source ends.
    ///   - close: Ends the source; called if the server stops.
    /// - Returns: The response.
    public static func make(
        to request: Request,
        type: String,
        first: String,
        began: @escaping @Sendable () -> Void = {},
        ended: @escaping @Sendable () -> Void = {},
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
                began()
                defer { ended() }
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

    /// Returns server-sent events, as `EventSource` reads them.
    ///
    /// - Parameters:
    ///   - request: The request; its end is that of the response.
    ///   - messages: The events; each has a name and a text without line breaks. An empty name is a heartbeat.
    ///   - close: Ends the messages; called if the server stops.
    /// - Returns: The response.
    public static func events(
        to request: Request,
        _ messages: @escaping @Sendable () -> AsyncStream<(name: String, data: String)>,
        onShutdown close: @escaping @Sendable () -> Void
    ) -> Response {
        eventStream(to: request, messages, onShutdown: close) { message in
            message.name.isEmpty ? heartbeat : event(message.name, message.data)
        }
    }

    /// A comment, which keeps a stream open.
    static let heartbeat = ":\n\n"

    static func event(_ name: String, _ data: String) -> String { "event: \(name)\ndata: \(data)\n\n" }

    /// Returns a response that sends messages as `EventSource` reads them, each printed by `text`.
    static func eventStream<Message: Sendable>(
        to request: Request,
        _ messages: @escaping @Sendable () -> AsyncStream<Message>,
        onShutdown close: @escaping @Sendable () -> Void,
        text: @escaping @Sendable (Message) -> String
    ) -> Response {
        make(
            to: request,
            type: "text/event-stream",
            first: "retry: 1000\n\n",
            write: { writer in
                for await message in messages() { try await writer.write(ByteBuffer(string: text(message))) }
            },
            onShutdown: close
        )
    }
}
