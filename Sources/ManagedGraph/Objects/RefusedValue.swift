// A value that no slot can hold.
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
