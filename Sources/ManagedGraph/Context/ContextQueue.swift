// The queue of a context: a private serial queue or the main one, and the knowledge of whether we are on it.
import Dispatch
import Foundation

/// Where a context's work runs.
final class ContextQueue: Sendable {
    private let queue: DispatchQueue
    private let isMain: Bool
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init(_ type: NSManagedObjectContextConcurrencyType) {
        isMain = type == .mainQueueConcurrencyType
        queue = isMain ? .main : DispatchQueue(label: "ManagedGraph.context")
        if !isMain { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }
    }

    /// Whether the caller runs on this queue.
    var isCurrent: Bool {
        isMain ? Thread.isMainThread : DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
    }

    func async(_ block: @escaping () -> Void) {
        let work = UnsafeTransfer(block)
        queue.async { work.value() }
    }

    /// Runs the block on the queue and waits; at once where the caller is on it.
    func sync(_ block: () -> Void) {
        if isCurrent { block() } else { queue.sync(execute: block) }
    }
}
