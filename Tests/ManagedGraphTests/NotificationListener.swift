// Counts the notifications of one object. Used by tests of notifications and of rules for states.
import Foundation

/// Listens to notifications of one object until it is released.
final class NotificationListener: @unchecked Sendable {
    private(set) var number = 0
    /// The last notification, which holds its objects; nil unless it is kept.
    private(set) var last: Notification?
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of object: AnyObject, keepsLast: Bool = false) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] note in
            self?.number += 1
            if keepsLast { self?.last = note }
        }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }
}
