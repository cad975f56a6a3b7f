// One browser's event stream: server-sent events in a response that stays open. It ends when the browser disconnects,
// when the table's broadcaster closes, or with the server.
import HTTPTypes
import Hummingbird
import ServiceLifecycle

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
        var headers = HTTPFields()
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                draft?.presence.withLock { $0.streams += 1 }
                defer {
                    draft?.presence.withLock {
                        $0.streams -= 1
                        $0.lastUse = .now
                    }
                }
                try await writer.write(ByteBuffer(string: "retry: 1000\n\nevent: job\ndata: \(job)\n\n"))
                try await withGracefulShutdownHandler {
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        try await send(broadcaster, since: since, to: &writer)
                    }
                } onGracefulShutdown: {
                    broadcaster.close()
                }
                try await writer.finish(nil)
            }
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
            // A gap means that the queue overflowed, so the browser must load the window again.
            let isGap = event.kind == .change && version.map { $0 != event.from } ?? false
            let sent = isGap ? Broadcaster.refresh(at: event.to) : event
            version = event.to
            let text = "id: \(broadcaster.token).\(sent.to)\nevent: \(sent.kind.rawValue)\ndata: \(sent.data)\n\n"
            try await writer.write(ByteBuffer(string: text))
        }
    }
}
