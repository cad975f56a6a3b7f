// Versions that browsers send when they open an event stream.
import Testing

@testable import TableScreens

@Suite("Event streams")
struct BroadcasterTests {
    /// The kinds of the events that a browser with a version gets before the stream ends.
    private func kinds(since version: String, _ broadcaster: Broadcaster) async -> [LiveEvent.Kind] {
        let stream = broadcaster.subscribe(since: version)
        broadcaster.close()
        var kinds: [LiveEvent.Kind] = []
        for await event in stream { kinds.append(event.kind) }
        return kinds
    }

    @Test(
        "A version that the table never had asks for a refresh",
        arguments: ["-1", "-9223372036854775808", "9223372036854775807", "", "x"]
    )
    func impossibleVersion(number: String) async {
        let broadcaster = Broadcaster()
        broadcaster.publish(.change) { _, _ in "{}" }
        #expect(await kinds(since: "\(broadcaster.token).\(number)", broadcaster) == [.refresh])
    }

    @Test("A version of the table gets the events since")
    func earlierVersion() async {
        let broadcaster = Broadcaster()
        let version = broadcaster.versionText
        broadcaster.publish(.change) { _, _ in "{}" }
        #expect(await kinds(since: version, broadcaster) == [.change])
    }
}
