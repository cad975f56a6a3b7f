// The differences that one consumer has not taken yet. Filled on the context's queue, emptied on the consumer's task. What
// it holds is bounded: beyond some entries, neighbours are merged, so that nothing is lost and no change is kept twice.
import Synchronization

/// A queue of differences for one consumer.
final class DifferenceMailbox: Sendable {
    /// Entries beyond which neighbours are merged.
    static let capacity = 32

    private struct State {
        var waiting: [FetchedResultsDifference] = []
        var receiver: CheckedContinuation<FetchedResultsDifference?, Never>?
        var isFinished = false
    }

    private let state = Mutex(State())

    /// The number of entries that wait, for tests.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Adds a difference, or hands it to the consumer that waits for one.
    ///
    /// Merging takes O(log n) for each change on the average: always the two neighbours are merged that are smallest
    /// together.
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

    /// Ends the sequence once what waits has been taken.
    func finish() {
        let receiver = state.withLock { state in
            state.isFinished = true
            let receiver = state.receiver
            state.receiver = nil
            return receiver
        }
        receiver?.resume(returning: nil)
    }

    /// Forgets what waits, and ends the sequence at once.
    func cancel() {
        state.withLock { $0.waiting = [] }
        finish()
    }

    /// The next difference; nil at the end, and when the task is cancelled.
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

    /// The next difference if one waits; for tests.
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
