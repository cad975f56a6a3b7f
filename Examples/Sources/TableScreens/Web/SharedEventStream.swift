// The event stream of a whole browser: the events of several tables and forms in one response that stays open. A line per
// event, with kind, version, address and data separated by tabs; an empty line is a heartbeat. events-worker.js reads it.
import Hummingbird
import WebSupport

enum SharedEventStream {
    /// The maximum number of addresses in one stream.
    static let channelLimit = 200

    /// One address of the stream; without a source, its object or screen does not exist.
    struct Channel: Sendable {
        let address: String
        let since: String
        var source: Source?

        struct Source: Sendable {
            let broadcaster: Broadcaster
            let draft: Draft?
            /// The state of the application's job as JSON.
            let job: String
        }
    }

    private struct Event: Sendable {
        let channel: Int
        let event: LiveEvent
    }

    static func response(to request: Request, channels: [Channel]) -> Response {
        var first = "\n"
        for channel in channels {
            first +=
                channel.source.map { line("job", "", channel, $0.job) }
                ?? line(LiveEvent.Kind.refresh.rawValue, "none.0", channel, "{}")
        }
        let (events, merged) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: .bufferingNewest(Broadcaster.queueLimit * max(1, channels.count))
        )
        let drafts = channels.compactMap(\.source?.draft)
        return OpenResponse.make(
            to: request,
            type: "text/plain; charset=utf-8",
            first: first,
            began: { for draft in drafts { draft.beginStream() } },
            ended: { for draft in drafts { draft.endStream() } },
            write: { writer in
                let sources = Task { await merge(channels, into: merged) }
                defer { sources.cancel() }
                try await send(events, of: channels, to: &writer)
            },
            onShutdown: { merged.finish() }
        )
    }

    /// Subscribes to all channels until the task is cancelled.
    private static func merge(_ channels: [Channel], into merged: AsyncStream<Event>.Continuation) async {
        await withTaskGroup(of: Void.self) { group in
            for (number, channel) in channels.enumerated() {
                guard let broadcaster = channel.source?.broadcaster else { continue }
                group.addTask {
                    for await event in broadcaster.subscribe(since: channel.since) {
                        merged.yield(Event(channel: number, event: event))
                    }
                }
            }
        }
    }

    private static func send(
        _ events: AsyncStream<Event>,
        of channels: [Channel],
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var versions: [Int: Int] = [:]
        for await entry in events {
            let channel = channels[entry.channel]
            guard let broadcaster = channel.source?.broadcaster else { continue }
            let event = entry.event
            switch event.kind {
            case .beat:
                try await writer.write(ByteBuffer(string: "\n"))
            case .job:
                try await writer.write(ByteBuffer(string: line("job", "", channel, event.data)))
            case .change, .refresh, .gone:
                let message = event.following(versions[entry.channel])
                versions[entry.channel] = event.to
                let lines = line(message.kind.rawValue, "\(broadcaster.token).\(message.to)", channel, message.data)
                try await writer.write(ByteBuffer(string: lines))
            }
        }
    }

    private static func line(_ kind: String, _ version: String, _ channel: Channel, _ data: String) -> String {
        "\(kind)\t\(version)\t\(channel.address)\t\(data)\n"
    }
}
