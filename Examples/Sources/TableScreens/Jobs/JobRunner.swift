// Runs an application's jobs one at a time and tracks their progress. `changed` receives each state, throttled to a few
// calls a second, on an arbitrary thread.
import CoreData
import Foundation
import Synchronization

final class JobRunner: Sendable {
    /// The minimum interval between two messages to browsers.
    private static let interval = Duration.milliseconds(100)
    /// The time after which the result of a successful job is removed; a failure stays until a reader dismisses it.
    static let resultTime = Duration.seconds(8)

    private struct Current {
        var state: JobState?
        /// Distinguishes this job from earlier ones.
        var number = 0
        var isCancelled = false
        var lastTold = ContinuousClock.now
        var task: Task<Void, Never>?
    }

    private let current = Mutex(Current())

    var state: JobState? { current.withLock { $0.state } }

    /// Starts a job; `pause` is called after each of its reports, and may block.
    ///
    /// - Throws: `ScreenError.badInput` if another job is running.
    func start(
        _ job: Job,
        in context: NSManagedObjectContext,
        pause: @escaping @Sendable () -> Void,
        changed: @escaping @Sendable (JobState?) -> Void
    ) throws {
        let first = JobState(title: job.title, words: "", percent: 0, phase: .running)
        let number = try current.withLock { current in
            guard current.state?.phase != .running else {
                throw ScreenError.badInput(
                    "“\(current.state?.title ?? "")” is still running. Wait for its end, or cancel it."
                )
            }
            current = Current(state: first, number: current.number + 1)
            return current.number
        }
        changed(first)
        let progress = JobProgress { [weak self] fraction, words in
            try self?.note(Int((min(1, max(0, fraction)) * 100).rounded(.down)), words, changed)
            pause()
        }
        let task = Task { [weak self] in
            let phase: JobState.Phase
            let words: String
            do {
                words = try await context.perform { try job.work(context, progress) }
                phase = .done
            } catch is CancellationError {
                (phase, words) = (.cancelled, "Cancelled. What was done so far stays.")
            } catch {
                let error = error as NSError
                (phase, words) = (.failed, error.userInfo["ErrorString"] as? String ?? error.localizedDescription)
            }
            self?.finish(phase, words, changed)
            guard phase != .failed else { return }
            Task { [weak self] in
                try? await Task.sleep(for: Self.resultTime)
                self?.dismiss(number, changed: changed)
            }
        }
        current.withLock { $0.task = task }
    }

    func cancel() { current.withLock { $0.isCancelled = true } }

    /// Cancels the running job and waits for its end.
    func close() async {
        cancel()
        await current.withLock { $0.task }?.value
    }

    /// Removes the state of a finished job.
    ///
    /// - Parameters:
    ///   - number: The job; nil for the latest.
    ///   - changed: Receives the state afterwards.
    func dismiss(_ number: Int? = nil, changed: (JobState?) -> Void) {
        let isGone = current.withLock { current in
            guard current.state != nil, current.state?.phase != .running, number ?? current.number == current.number
            else { return false }
            current.state = nil
            return true
        }
        if isGone { changed(nil) }
    }

    private func note(_ percent: Int, _ words: String, _ changed: (JobState?) -> Void) throws {
        let newState = try current.withLock { current -> JobState? in
            if current.isCancelled { throw CancellationError() }
            current.state?.percent = percent
            current.state?.words = words
            guard ContinuousClock.now - current.lastTold >= Self.interval else { return nil }
            current.lastTold = .now
            return current.state
        }
        if let newState { changed(newState) }
    }

    private func finish(_ phase: JobState.Phase, _ words: String, _ changed: (JobState?) -> Void) {
        changed(
            current.withLock { current in
                current.state?.phase = phase
                current.state?.words = words
                if phase == .done { current.state?.percent = 100 }
                return current.state
            }
        )
    }
}
