// A value that goes to another queue or out of a lock, where the compiler cannot see that one thread at a time uses it.

/// Carries a value to another queue, where the sender no longer uses it.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
    package var value: Value
    @inlinable package init(_ value: Value) { self.value = value }
}
