// An object of QueueTests.
import ManagedGraph

/// An object that enters the queue of a context when it is released, as a stack that removes its stores does.
final class WaitingObject: @unchecked Sendable {
    private let context: NSManagedObjectContext
    private let released: () -> Void

    init(_ context: NSManagedObjectContext, released: @escaping () -> Void) {
        self.context = context
        self.released = released
    }

    deinit {
        context.performAndWait { context.processPendingChanges() }
        released()
    }
}
