// The user info of an entity or a property, which may be changed while the model is in use.
import Foundation

/// Values that any thread may read and set.
final class LockedUserInfo: @unchecked Sendable {
    // Sendable: the lock guards the values.
    private let lock = NSLock()
    private var stored: [AnyHashable: Any]? = [:]

    var values: [AnyHashable: Any]? {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}
