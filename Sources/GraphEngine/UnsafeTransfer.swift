// Transfers a value to another queue or out of a lock if the compiler cannot prove that one thread at a time uses it.

/// Carries a value to another queue, after which the sender no longer uses it.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
    package var value: Value
    @inlinable package init(_ value: Value) { self.value = value }
}
