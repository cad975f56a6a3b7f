// Where evaluation reports what it cannot throw: off Apple there are no exceptions, and a predicate may come from outside.

import Foundation
import Synchronization

enum EvaluationLog {
    /// Messages that were reported, of which the first thousand are kept: they may name keys from outside.
    private static let reported = Mutex<Set<String>>([])

    /// Writes a message to the log, once in the life of the process.
    static func report(_ message: String) {
        guard reported.withLock({ $0.count < 1000 && $0.insert(message).inserted }) else { return }
        NSLog(message.replacingOccurrences(of: "%", with: "%%"))
    }
}
