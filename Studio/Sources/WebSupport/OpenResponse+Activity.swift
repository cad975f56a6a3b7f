// The stream of a running program's activity, for the panel of the applications and the studio's section Live.
import Hummingbird

extension OpenResponse {
    /// Returns a response that sends each message of a feed as an event `activity`, and an empty one as a comment.
    ///
    /// - Parameters:
    ///   - request: The request; its end is that of the response.
    ///   - messages: Begins the messages.
    ///   - close: Ends the messages; called if the server stops.
    /// - Returns: The response.
    public static func activity(
        to request: Request,
        messages: @escaping @Sendable () -> AsyncStream<String>,
        onShutdown close: @escaping @Sendable () -> Void
    ) -> Response {
        eventStream(to: request, messages, onShutdown: close) { message in
            message.isEmpty ? heartbeat : event("activity", message)
        }
    }
}
