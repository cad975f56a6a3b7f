// The notifications of a context for NotificationTableTests.
import Foundation
import ManagedGraph

/// Records the notifications that a context posts.
final class NotificationJournal: @unchecked Sendable {
    private var lines: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext) {
        let names: [(Notification.Name, String)] = [
            (.NSManagedObjectContextWillSave, "willSave"), (.NSManagedObjectContextDidSave, "didSave"),
            (.NSManagedObjectContextDidSaveObjectIDs, "didSaveIDs"),
            (.NSManagedObjectContextObjectsDidChange, "didChange"),
            (.NSManagedObjectContextDidMergeChangesObjectIDs, "didMergeIDs"),
        ]
        for (name, label) in names {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
                    self?.lines.append(Self.line(label, note))
                }
            )
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    private static func line(_ label: String, _ note: Notification) -> String {
        let entries = (note.userInfo ?? [:]).compactMap { key, value -> String? in
            let count = (value as? Set<AnyHashable>)?.count ?? (value as? [Any])?.count ?? 0
            return count == 0 ? nil : "\(key.base) \(count)"
        }
        return ([label] + entries.sorted()).joined(separator: " ")
    }

    /// The notifications since the last call.
    func take() -> String {
        defer { lines = [] }
        return lines.joined(separator: "; ")
    }
}
