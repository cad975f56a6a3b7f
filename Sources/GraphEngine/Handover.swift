// Hands a value to another queue, which releases it at a known point. Used by the queues of contexts and coordinators.

/// A value that its receiver takes once, after which nothing here retains it.
///
/// A closure that a queue runs retains its captures until the queue releases the closure, some time after it returned.
package final class Handover<Value>: @unchecked Sendable {
    @usableFromInline var value: Value?

    @inlinable package init(_ value: Value) { self.value = value }

    /// Returns the value; must be called once.
    @inlinable package func take() -> Value {
        guard let value = value.take() else { preconditionFailure("The value has been taken before.") }
        return value
    }
}
