// The goals of cases. Report compares medians with them, Plot draws them.
import Foundation

/// The upper limit for ManagedGraph in a case.
enum Goal {
    /// As a multiple of the yardstick's median.
    case ratio(Double)
    case nanoseconds(Double)
    case microseconds(Double)
    case milliseconds(Double)
    /// For each row.
    case bytes(Double)

    /// Compares a result with the goal.
    ///
    /// - Parameters:
    ///   - value: The median: nanoseconds or bytes per unit, or milliseconds of the whole work.
    ///   - ratio: The median as a multiple of the yardstick's, if measured.
    /// - Returns: Whether the goal is reached; nil if its yardstick was left out.
    func isReached(value: Double, ratio: Double?) -> Bool? {
        switch self {
        case .ratio(let most): ratio.map { $0 <= most }
        case .nanoseconds(let most), .bytes(let most), .milliseconds(let most): value <= most
        case .microseconds(let most): value <= most * 1000
        }
    }

    var description: String {
        switch self {
        case .ratio(let most): "\(Self.text(most)) times"
        case .nanoseconds(let most): "\(Self.text(most)) ns"
        case .microseconds(let most): "\(Self.text(most)) µs"
        case .milliseconds(let most): "\(Self.text(most)) ms"
        case .bytes(let most): "\(Self.text(most)) bytes"
        }
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}
