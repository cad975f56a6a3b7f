// The bounded repetition of transactions that a store has rolled back in favour of others. Used by saves and by batch
// requests.
import Foundation

/// Counts the attempts of one transaction, and waits between them.
struct CollisionRetry {
    /// The number of times that a transaction is run again.
    private static let limit = 20
    private var collisions = 0

    /// Waits for a random time if the transaction may be run again; returns false if the error must be reported.
    mutating func waits(after error: any Error) -> Bool {
        guard (error as NSError).isCollision, collisions < Self.limit else { return false }
        collisions += 1
        Thread.sleep(forTimeInterval: .random(in: 0...0.002) * Double(1 << min(collisions, 7)))
        return true
    }
}
