// Logs evaluation errors that cannot be thrown: Linux has no exceptions, and a predicate may be untrusted input.

import Foundation
import Synchronization

enum EvaluationLog {
    /// The messages already logged, at most a thousand: they may contain keys from untrusted input.
    private static let reported = Mutex<Set<String>>([])

    /// Logs a message once per process.
    static func report(_ message: String) {
        guard reported.withLock({ $0.count < 1000 && $0.insert(message).inserted }) else { return }
        NSLog(message.replacingOccurrences(of: "%", with: "%%"))
    }
}
