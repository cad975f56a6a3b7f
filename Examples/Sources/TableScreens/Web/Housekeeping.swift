// The regular work of a server and the end of its streams. Run by ScreenServer.
import Foundation
import Hummingbird
import ServiceLifecycle

/// Releases unused tables and drafts, and ends the event streams on shutdown.
struct Housekeeping: Service {
    let stores: [ApplicationStore]
    let guest: ServerGuest?

    func run() async throws {
        await withGracefulShutdownHandler {
            try? await cancelWhenGracefulShutdown {
                while true {
                    try await Task.sleep(for: .seconds(15))
                    for store in stores {
                        try await store.perform { turn in
                            turn.tables.tick()
                            turn.deletions.tick()
                            turn.newObjects.tick(turn.tables, in: turn.context)
                        }
                        store.activity.beat()
                        await store.tendDrafts()
                    }
                    SystemAllocator.trim()
                }
            }
        } onGracefulShutdown: {
            for store in stores { Task { await store.closeStreams() } }
            guest?.close()
        }
    }
}
