// A table of small numbers for letters that is never deallocated. Used by LocalizedOrder.
import Foundation

/// A table of small numbers that is never deallocated.
struct LetterTable: Sendable {
    // Immutable.
    private nonisolated(unsafe) let numbers: UnsafePointer<UInt16>

    init(_ values: [UInt16]) {
        let memory = UnsafeMutablePointer<UInt16>.allocate(capacity: values.count)
        memory.initialize(from: values, count: values.count)
        numbers = UnsafePointer(memory)
    }

    @inline(__always)
    subscript(index: UInt16) -> UInt16 { numbers[Int(index)] }
}
