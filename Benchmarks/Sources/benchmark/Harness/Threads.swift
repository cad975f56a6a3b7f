// Threads that start at the same moment. Used by the sharing cases.
import Dispatch
import Foundation
import Synchronization

/// Threads that prepare, wait for each other, and then work.
enum Threads {
    /// Prepares on a thread, and returns the timed work.
    typealias Body = @Sendable () throws -> () throws -> Void

    /// Runs each body on its own thread.
    ///
    /// If one of them fails to prepare, none of them works.
    ///
    /// - Returns: Nanoseconds from the first start to the last end.
    @discardableResult
    static func run(_ bodies: [Body]) throws -> Double {
        let start = StartingLine(count: bodies.count)
        let spans = Mutex<[Swift.Result<Span, any Error>]>([])
        let group = DispatchGroup()
        for body in bodies {
            group.enter()
            Thread.detachNewThread {
                let span = Swift.Result { try work(of: body, from: start) }
                spans.withLock { $0.append(span) }
                group.leave()
            }
        }
        group.wait()
        let ended = try spans.withLock { try $0.map { try $0.get() } }
        guard let first = ended.map(\.start).min(), let last = ended.map(\.end).max() else { return 0 }
        return Runner.nanoseconds(first.duration(to: last))
    }

    private struct Span {
        var start: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    private static func work(of body: Body, from line: StartingLine) throws -> Span {
        let prepared = Swift.Result { try body() }
        let isReady = if case .success = prepared { true } else { false }
        let areAllReady = line.arrive(isReady: isReady)
        let work = try prepared.get()
        let start = ContinuousClock.now
        if areAllReady { try work() }
        return Span(start: start, end: .now)
    }
}
