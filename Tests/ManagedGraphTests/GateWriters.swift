// Writing threads for WriteGateTests.
import Foundation
import Synchronization

@testable import ManagedGraph

/// Threads that write through a gate until they are ended, with a time limit for a gate that never lets a move in.
final class GateWriters: Sendable {
    let gate = WriteGate(patience: .milliseconds(50))
    private let isEnded = Mutex(false)
    private let threads = DispatchGroup()
    private let deadline = ContinuousClock.now + .seconds(30)

    /// Starts threads whose writes take some milliseconds each.
    func start(_ count: Int, milliseconds: ClosedRange<UInt32>) {
        for _ in 0..<count {
            threads.enter()
            Thread.detachNewThread { [self] in
                while !isEnded.withLock({ $0 }), ContinuousClock.now < deadline {
                    gate.writing { _ = usleep(.random(in: milliseconds) * 1_000) }
                }
                threads.leave()
            }
        }
        // They write by now.
        usleep(100_000)
    }

    /// Moves a store, and returns whether it was moved while threads still wrote.
    func moves() -> Bool { gate.withoutWrites { ContinuousClock.now < deadline } }

    func end() {
        isEnded.withLock { $0 = true }
        threads.wait()
    }
}
