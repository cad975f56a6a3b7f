// Records the notifications of a context. Used by Merging, ContextUndo and QueueTests.
import Foundation
import ManagedGraph

/// Records the context's notifications.
final class Recorder: @unchecked Sendable {
    private(set) var events: [[String: Set<NSManagedObject>]] = []
    private(set) var merged: [[AnyHashable: Any]] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext) {
        let center = NotificationCenter.default
        tokens.append(
            center.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil) {
                [weak self] note in
                var event: [String: Set<NSManagedObject>] = [:]
                for (key, value) in note.userInfo ?? [:] {
                    if let key = key as? String, let objects = value as? Set<NSManagedObject> { event[key] = objects }
                }
                self?.events.append(event)
            }
        )
        tokens.append(
            center.addObserver(
                forName: NSManagedObjectContext.didMergeChangesObjectIDsNotification,
                object: context,
                queue: nil
            ) { [weak self] note in self?.merged.append(note.userInfo ?? [:]) }
        )
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}
