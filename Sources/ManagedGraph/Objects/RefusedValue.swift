// Values that no slot can hold: those of unknown keys, of relationships and of composite attributes. Beside
// `RefusedValues`.
import Foundation
import Synchronization

final class RefusedValue: @unchecked Sendable {
    let value: Any?
    let reason: Refusal

    init(_ value: Any?, _ reason: Refusal) {
        self.value = value
        self.reason = reason
    }
}
