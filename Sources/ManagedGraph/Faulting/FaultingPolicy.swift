// The reaction of a context to faults of one fetch that fire one by one (N+1). Set by users for one context, or for all
// contexts of a process with `-com.apple.CoreData.FaultingPolicy log`; see Documentation/Diagnosis.md.
import Foundation

extension NSManagedObjectContext {
    /// The reaction of a context that reads the same relationship, or the values, of fetched objects one by one.
    public enum FaultingPolicy: String, CaseIterable, Sendable {
        /// Each fault is read when it fires, as with Apple's framework.
        case allow
        /// The eleventh object is reported in the log, once for each place that fetches and each relationship, with
        /// the cure.
        case log
        /// As `log`; the next call of the context that can throw (a fetch, a count, a save) throws the report, too.
        case `throw`
        /// From the second object on, objects of the same fetch that are still faults are read together, some hundreds
        /// at once.
        case automatic

        /// The policy in the program's launch arguments.
        static let atLaunch = LaunchOptions.text("FaultingPolicy").map { FaultingPolicy(option: $0) } ?? .allow

        /// The policy that a launch argument names, by its name or its number.
        ///
        /// - Parameter option: The argument's value.
        package init(option: String) {
            let word = option.lowercased()
            let number = LaunchOptions.number(word)
            self = FaultingPolicy(rawValue: word) ?? Self.allCases[min(number, Self.allCases.count - 1)]
        }

        /// Whether objects that are read one by one are reported.
        var reports: Bool { self == .log || self == .throw }
    }

    /// The reaction of the context to faults of one fetch that fire one by one; `allow` unless set.
    ///
    /// The launch argument `-com.apple.CoreData.FaultingPolicy` sets it for all contexts of a process. Set it before
    /// the fetch: only then a report names the fetch's place. With any policy but `allow` a fetch records its place
    /// and its keys.
    public final var faultingPolicy: FaultingPolicy {
        get { registry.faultingPolicy }
        set { registry.faultingPolicy = newValue }
    }
}
