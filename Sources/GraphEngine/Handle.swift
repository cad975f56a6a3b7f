// References to stores, coordinators and contexts that do not keep them.
import CSwiftRuntime
import Synchronization

/// Finds an object while it lives, without keeping it.
///
/// The object owns its handle, sets it when it is made, and must clear it in its deinitializer. In place of a weak
/// reference, which moves the object's reference counts to a table of their own: each retain and release of the object
/// takes three times as long from then on. Used from any thread.
package final class Handle: Sendable {
    /// The object's address; 0 before it is set, and once the object's deinitializer has begun.
    private let address = Mutex<UInt>(0)

    /// Creates a handle that finds nothing yet.
    package init() {}

    /// Sets the object that owns the handle.
    package func set(_ object: AnyObject) {
        address.withLock { $0 = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
    }

    /// The object finds itself no more.
    package func clear() { address.withLock { $0 = 0 } }

    /// Finds the object.
    ///
    /// - Parameter type: The class of the object that owns the handle, or one above it.
    /// - Returns: The object; nil if it is gone or about to be.
    @inlinable
    package func object<Object: AnyObject>(as type: Object.Type) -> Object? {
        retained().map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    }

    /// The address of the object, which has been retained for the caller.
    @usableFromInline
    package func retained() -> UnsafeMutableRawPointer? {
        let address = address.withLock { address -> UInt in
            // The memory is there: the deinitializer ends after it has cleared the address, which waits for the lock.
            guard let pointer = UnsafeMutableRawPointer(bitPattern: address), swift_tryRetain(pointer) != nil else {
                return 0
            }
            return address
        }
        return UnsafeMutableRawPointer(bitPattern: address)
    }
}
