// Checks that a context and its objects are used on its queue, if ConcurrencyDebug is on. Held by the registry of a
// watched context; called by accessors of watched objects and by the context's methods.
import Foundation

/// The queue of a watched context, for its registry; valid after the context is deallocated.
final class QueueGuard: Sendable {
    /// The name of the queue in messages.
    private let name: String
    private let isInside: @Sendable () -> Bool
    private let handler = ConcurrencyDebug.scopedHandler
    private let stops = ConcurrencyDebug.stops

    init(queueNamed name: String, isInside: @escaping @Sendable () -> Bool) {
        self.name = name
        self.isInside = isInside
    }

    /// Whether the caller is inside of the queue.
    var isCurrent: Bool { isInside() }

    /// Reports an access off the queue, and stops as Apple's framework does.
    func check(_ operation: () -> String, of context: NSManagedObjectContext?) {
        if isCurrent { return }
        let owner = context.map { context in
            context.name.map { "the context \"\($0)\"" } ?? "an unnamed context"
        }
        let violation = """
            \(operation()) on \(Self.threadName), which is not inside of \(name). The owner is \
            \(owner ?? "a context that is gone"). \
            \(owner == nil ? "Keep the context as long as its objects, and use" : "Use") perform or performAndWait.
            """
        let calls = Thread.callStackSymbols.dropFirst(2).prefix(32).joined(separator: "\n")
        if let handler { return handler("\(violation)\n\(calls)") }
        guard stops else { return Diagnosis.log.error("Concurrency violation: \(violation)\n\(calls)") }
        FileHandle.standardError.write(Data("CoreData: concurrency violation: \(violation)\n\(calls)\n".utf8))
        preconditionFailure("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__: \(violation)")
    }

    private static var threadName: String {
        if Thread.isMainThread { return "the main thread" }
        let name = Thread.current.name ?? ""
        return name.isEmpty ? "a thread without a name" : "the thread \"\(name)\""
    }
}

extension NSManagedObjectContext {
    /// Reports the call unless it is on the context's queue; one test of a flag if nothing is watched.
    @inline(__always)
    final func checkQueue(_ operation: @autoclosure () -> String) {
        if registry.isWatched { checkWatched(operation) }
    }

    @inline(never)
    private func checkWatched(_ operation: () -> String) {
        registry.guardian?.check(operation, of: self)
    }
}

extension NSManagedObject {
    /// Whether the object is watched and this is not its context's queue.
    final var isOffQueue: Bool {
        state.contains(.watched) && registry?.guardian?.isCurrent == false
    }

    /// Reports an access to the object's values off the context's queue, also if the context is deallocated.
    ///
    /// - Parameters:
    ///   - slot: The accessed property; negative for the object as a whole.
    ///   - isChange: Whether it is about to be changed.
    @inline(never)
    final func checkAccess(_ slot: Int, isChange: Bool) {
        guard let registry else { return }
        registry.guardian?.check(
            {
                let property = slot >= 0 ? ".\(layout.slots[slot].name)" : ""
                return "\(isChange ? "Changing" : "Reading") \(describeForMessages)\(property)"
            },
            of: registry.context
        )
    }
}
