// Threads that share out numbers.
import Foundation
import Synchronization

/// Runs `body` on some threads, each with its number, and adds up the results.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> UInt64) throws -> UInt64 {
    let results = Mutex<[Result<UInt64, any Error>]>([])
    let group = DispatchGroup()
    for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
            let result = Result { try body(number) }
            results.withLock { $0.append(result) }
            group.leave()
        }
    }
    group.wait()
    return try results.withLock { try $0.reduce(0) { $0 &+ (try $1.get()) } }
}
