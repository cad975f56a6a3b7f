/// A value that no slot can hold, and the reason.
final class RefusedValue: @unchecked Sendable {
    let value: Any?
    let reason: Refusal

    init(_ value: Any?, _ reason: Refusal) {
        self.value = value
        self.reason = reason
    }
}
