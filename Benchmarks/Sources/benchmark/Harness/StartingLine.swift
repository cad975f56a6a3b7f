// The barrier at which threads wait for each other before they work. Used by Threads.
import Foundation

/// A barrier at which threads wait until the last one has arrived.
final class StartingLine: @unchecked Sendable {
    private let condition = NSCondition()
    private var missing: Int
    private var areAllReady = true

    init(count: Int) { missing = count }

    /// Waits for the others.
    ///
    /// - Returns: Whether all arrived ready.
    func arrive(isReady: Bool) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        areAllReady = areAllReady && isReady
        if missing == 0 { condition.broadcast() }
        while missing > 0 { condition.wait() }
        return areAllReady
    }
}
