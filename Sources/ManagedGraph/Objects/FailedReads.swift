// Failed reads whose callers cannot throw: a fault that a property fires, the members of a relationship. A failed read
// is not an answer: the object stays a fault, its members stay unknown, and the next reader reads the store again. A
// change that depends on such a read is rejected, and calls that can throw report it. Held by the context's identity
// map, used on its queue.
import Foundation

/// The failures of reads since a throwing call began, and their number.
struct FailedReads {
    /// The number of failures so far; a change compares it before and after.
    var count = 0
    /// The last error.
    var last: (any Error)?
    /// The first error in the throwing call that runs; nil outside of one.
    var first: (any Error)?
    var callDepth = 0
    /// An error for the next throwing call although nothing has failed: a report of the faultingPolicy.
    var waiting: (any Error)?
}

extension NSManagedObjectContext {
    /// Records a failed read whose caller cannot throw.
    final func noteFailedRead(of subject: String, _ error: any Error) {
        Diagnosis.log.error("\(subject) could not be read: \((error as NSError).localizedDescription)")
        registry.failedReads.count += 1
        registry.failedReads.last = error
        if registry.failedReads.callDepth > 0, registry.failedReads.first == nil { registry.failedReads.first = error }
    }

    /// Runs a call that can throw; reads that fail inside of it, but cannot throw there, are its errors.
    @inline(__always)
    final func throwingFailedReads<R>(_ body: () throws -> R) throws -> R {
        try collectingFailedReads {
            let result = try body()
            try throwFailedRead()
            return result
        }
    }

    /// The same for a call that throws by itself, with `throwFailedRead()`, before it does anything that cannot be
    /// undone.
    @inline(__always)
    final func collectingFailedReads<R>(_ body: () throws -> R) rethrows -> R {
        let outer = registry.failedReads.first
        registry.failedReads.first = nil
        registry.failedReads.callDepth += 1
        defer {
            registry.failedReads.callDepth -= 1
            registry.failedReads.first = outer
        }
        return try body()
    }

    /// Throws if a read has failed in the throwing call that runs.
    @inline(__always)
    final func throwFailedRead() throws {
        if let error = registry.failedReads.waiting, registry.servedPolicy == nil {
            registry.failedReads.waiting = nil
            throw error
        }
        if let error = registry.failedReads.first {
            registry.failedReads.first = nil
            throw error
        }
    }
}

extension NSManagedObject {
    /// Changes a relationship; if the change depends on a read that fails, the save throws until the change is
    /// repeated.
    @inline(__always)
    func changing(_ slot: Int, to value: @autoclosure () -> Any?, _ change: () -> Void) {
        let failed = registry?.failedReads.count
        change()
        if registry?.failedReads.count != failed { refuseUnread(slot, value()) }
    }

    @inline(never)
    private func refuseUnread(_ slot: Int, _ value: Any?) {
        guard let error = registry?.failedReads.last else { return }
        refuse(value, forKey: layout.slots[slot].name, .unread((error as NSError).localizedDescription))
    }
}
