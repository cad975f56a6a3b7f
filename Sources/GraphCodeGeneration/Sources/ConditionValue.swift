// The value of an `#if` condition on the generator's platform: true, false or unknown.
import SwiftSyntax

/// The outcome of a condition.
package enum ConditionValue: Sendable {
    case yes
    case no
    case unknown

    static prefix func ! (value: ConditionValue) -> ConditionValue {
        switch value {
        case .yes: .no
        case .no: .yes
        case .unknown: .unknown
        }
    }
}
