// A value that goes to another queue or out of a lock, where the compiler cannot see that one thread at a time uses it.

/// Carries a value to another queue, where the sender no longer uses it.
struct UnsafeTransfer<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}
