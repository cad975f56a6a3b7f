// Evaluates `#if` conditions for the platform that the generator runs on. Beside `PlatformCondition`.
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
