// One browser's event stream: the events of a table's broadcaster as server-sent events.
import Hummingbird
import WebSupport

enum EventStream {
    static func response(
        to request: Request,
        from broadcaster: Broadcaster,
        since: String,
        job: String,
        draft: Draft? = nil
    )
        -> Response
    {
        OpenResponse.make(
            to: request,
            type: "text/event-stream",
            first: "retry: 1000\n\nevent: job\ndata: \(job)\n\n",
            began: { draft?.beginStream() },
            ended: { draft?.endStream() },
            write: { try await send(broadcaster, since: since, to: &$0) },
            onShutdown: { broadcaster.close() }
        )
    }

    private static func send(
        _ broadcaster: Broadcaster,
        since: String,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var version: Int?
        for await event in broadcaster.subscribe(since: since) {
            guard event.kind != .beat else {
                try await writer.write(ByteBuffer(string: ":\n\n"))
                continue
            }
            guard event.kind != .job else {
                try await writer.write(ByteBuffer(string: "event: job\ndata: \(event.data)\n\n"))
                continue
            }
            let message = event.following(version)
            version = event.to
            let lines =
                "id: \(broadcaster.token).\(message.to)\nevent: \(message.kind.rawValue)\ndata: \(message.data)\n\n"
            try await writer.write(ByteBuffer(string: lines))
        }
    }
}
