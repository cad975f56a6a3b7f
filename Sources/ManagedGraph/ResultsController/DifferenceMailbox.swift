// The pending differences of one consumer. Filled on the context's queue, drained on the consumer's task.
// The queue is bounded: above its capacity, adjacent differences are merged, so no change is lost or stored twice.
import Synchronization

/// A queue of differences for one consumer.
final class DifferenceMailbox: Sendable {
    /// The number of entries above which adjacent ones are merged.
    static let capacity = 32

    private struct State {
        var waiting: [FetchedResultsDifference] = []
        var receiver: CheckedContinuation<FetchedResultsDifference?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    /// The number of queued entries, for tests.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Enqueues a difference, or hands it to a waiting consumer.
    ///
    /// Merging takes amortized O(log n) for each change, because it always picks the adjacent pair with the smallest
    /// combined size.
    func send(_ difference: FetchedResultsDifference) {
        let receiver = state.withLock { state -> CheckedContinuation<FetchedResultsDifference?, Never>? in
            guard !state.isFinished else { return nil }
            if let receiver = state.receiver {
                state.receiver = nil
                return receiver
            }
            state.waiting.append(difference)
            if state.waiting.count > Self.capacity { Self.mergeSmallest(&state.waiting) }
            return nil
        }
        receiver?.resume(returning: difference)
    }

    /// Ends the sequence after the queued differences.
    func finish() {
        let receiver = state.withLock { state in
            state.isFinished = true
            let receiver = state.receiver
            state.receiver = nil
            return receiver
        }
        receiver?.resume(returning: nil)
    }

    /// Discards the queued differences and ends the sequence immediately.
    func cancel() {
        state.withLock { $0.waiting = [] }
        finish()
    }

    /// The next difference; nil at the end and when the task is cancelled.
    func receive() async -> FetchedResultsDifference? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: FetchedResultsDifference?? = state.withLock { state in
                    if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
                    if state.isFinished { return .some(nil) }
                    precondition(state.receiver == nil, "One iterator of differences serves one task at a time.")
                    state.receiver = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The next queued difference, or nil; for tests.
    func take() -> FetchedResultsDifference? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    private static func mergeSmallest(_ waiting: inout [FetchedResultsDifference]) {
        var best = 0
        var least = Int.max
        for index in 0..<(waiting.count - 1) {
            let size = waiting[index].count + waiting[index + 1].count
            if size <= least { (best, least) = (index, size) }
        }
        waiting[best] = waiting[best].followed(by: waiting[best + 1])
        waiting.remove(at: best + 1)
    }
}
