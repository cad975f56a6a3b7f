// The receiver of the reports of objects that are read one by one, which logs each once. Called by contexts.
import Foundation
import Synchronization

/// Collects the reports of the contexts of a process, once for each place and relationship.
package final class FaultReports: Sendable {
    /// Receives a line instead of the log.
    package typealias Sink = @Sendable (String) -> Void

    private static let shared = FaultReports(policy: .atLaunch) { Diagnosis.log.warning("\($0)") }
    @TaskLocal private static var scoped: FaultReports?
    /// The receiver of reports of contexts that are made now.
    static var current: FaultReports { scoped ?? shared }

    /// The policy of contexts that are made now.
    let policy: NSManagedObjectContext.FaultingPolicy
    private let sink: Sink
    private let reported = Mutex<Set<String>>([])

    private init(policy: NSManagedObjectContext.FaultingPolicy, sink: @escaping Sink) {
        self.policy = policy
        self.sink = sink
    }

    /// Sets the policy of the contexts that `body` makes on this thread, for tests.
    ///
    /// - Parameters:
    ///   - policy: The policy.
    ///   - sink: Receives the reports of those contexts.
    ///   - body: Makes the contexts.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of `body`.
    package static func observing<R>(
        _ policy: NSManagedObjectContext.FaultingPolicy,
        _ sink: @escaping Sink,
        _ body: () throws -> R
    ) rethrows -> R {
        try $scoped.withValue(FaultReports(policy: policy, sink: sink), operation: body)
    }

    /// Writes a report, unless the same relationship was reported for the same place before.
    func report(_ report: FaultReport) {
        if let identity = report.identity, !reported.withLock({ $0.insert(identity).inserted }) { return }
        sink(report.text)
    }
}
