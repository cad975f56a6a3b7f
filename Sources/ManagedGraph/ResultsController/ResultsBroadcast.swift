// The consumers of a controller's differences. Owned by the tracker; held by the sequences, which must not keep the
// controller alive. Consumers attach on the context's queue and leave on any thread.
import GraphEngine
import Synchronization

/// Sends each difference to all consumers.
// Sendable: the tracker is only accessed on the context's queue.
final class ResultsBroadcast: @unchecked Sendable {
    private let contextHandle: Handle
    private weak var tracker: ResultsTracker?
    private let mailboxes = Mutex<[Entry]>([])

    private struct Entry {
        weak var mailbox: DifferenceMailbox?
    }

    init(_ tracker: ResultsTracker, context: NSManagedObjectContext) {
        self.tracker = tracker
        contextHandle = context.handle
    }

    /// Whether there are consumers.
    var hasConsumers: Bool {
        mailboxes.withLock { entries in
            entries.removeAll { $0.mailbox == nil }
            return !entries.isEmpty
        }
    }

    /// Attaches a consumer, which receives the current results, then every difference.
    func attach(_ mailbox: DifferenceMailbox) async {
        guard let context = contextHandle.object(as: NSManagedObjectContext.self) else { return mailbox.finish() }
        await context.perform { self.enter(mailbox) }
    }

    /// Attaches a consumer; must be called on the context's queue.
    func enter(_ mailbox: DifferenceMailbox) {
        guard let tracker else { return mailbox.finish() }
        mailboxes.withLock { $0.append(Entry(mailbox: mailbox)) }
        tracker.welcome(mailbox)
    }

    func send(_ difference: @autoclosure () -> FetchedResultsDifference) {
        let living = mailboxes.withLock { $0.compactMap(\.mailbox) }
        guard !living.isEmpty else { return }
        let difference = difference()
        guard !difference.isEmpty else { return }
        for mailbox in living { mailbox.send(difference) }
    }

    /// Ends all sequences when the controller is deallocated.
    func finish() {
        for mailbox in mailboxes.withLock({ $0.compactMap(\.mailbox) }) { mailbox.finish() }
    }
}
