// Runs a block at each notification of a context's changes, as apps observe them. Used by the framework's tests.
import Foundation
import ManagedGraph

/// Runs a block at each notification until it is released.
private final class ChangeObserver: @unchecked Sendable {
    private let block: () -> Void
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) {
        self.block = block
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange,
            object: context,
            queue: nil
        ) { [weak self] _ in self?.block() }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}

extension NSManagedObjectContext {
    /// Runs `body`, and `observe` at each notification of changes that is posted meanwhile.
    func observingChanges(_ observe: @escaping () -> Void, during body: () throws -> Void) rethrows {
        let observer = ChangeObserver(self, observe)
        defer { withExtendedLifetime(observer) {} }
        try body()
    }
}
