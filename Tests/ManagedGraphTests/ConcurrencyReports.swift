// The reports of the concurrency debug switch for ConcurrencyDebugTests.
import ManagedGraph
import Synchronization

/// The reports of watched contexts.
final class ConcurrencyReports: Sendable {
    let lines = Mutex<[String]>([])

    /// Watches the contexts that `body` creates.
    func watching<R>(_ body: () throws -> R) rethrows -> R {
        try ConcurrencyDebug.watching({ line in self.lines.withLock { $0.append(line) } }, body)
    }

    /// The reports during `body`.
    func of(_ body: () throws -> Void) rethrows -> [String] {
        lines.withLock { $0 = [] }
        try body()
        return lines.withLock { $0 }
    }
}
