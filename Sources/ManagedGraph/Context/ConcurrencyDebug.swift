// Finds uses of contexts and objects off their queue. Off unless the program was started with
// `-com.apple.CoreData.ConcurrencyDebug 1` or 2; then every context made watches its objects: they carry a bit that sends
// each access through the slow path, which asks the queue. Without the switch no access does any of this.
import Foundation

/// The switch.
package enum ConcurrencyDebug {
    /// Takes a report in place of stopping the program.
    package typealias Handler = @Sendable (String) -> Void

    /// Whether contexts made now are watched.
    static var isOn: Bool { isScoped || levelAtLaunch > 0 }
    /// Whether a report stops the program; not with level 2.
    static var stops: Bool { isScoped || levelAtLaunch != 2 }
    private static let levelAtLaunch = LaunchOptions.level("ConcurrencyDebug")
    @TaskLocal private static var isScoped = false
    @TaskLocal static var scopedHandler: Handler?

    /// Watches the contexts that `body` makes on this thread, for tests.
    ///
    /// - Parameters:
    ///   - handler: Takes the reports of those contexts; without one the first report stops the program.
    ///   - body: What makes the contexts.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    package static func watching<R>(_ handler: Handler? = nil, _ body: () throws -> R) rethrows -> R {
        try $isScoped.withValue(true) { try $scopedHandler.withValue(handler, operation: body) }
    }
}

/// What a watched context's registry knows of its queue, also when the context has gone.
final class QueueGuard: Sendable {
    private let queue: ContextQueue
    private let handler = ConcurrencyDebug.scopedHandler
    private let stops = ConcurrencyDebug.stops

    init(_ queue: ContextQueue) {
        self.queue = queue
    }

    var isCurrent: Bool { queue.isCurrent }

    /// Reports what is not done on the queue, and stops as Apple's framework does.
    func check(_ operation: () -> String, of context: NSManagedObjectContext?) {
        if queue.isCurrent { return }
        let owner = context.map { context in
            context.name.map { "the context \"\($0)\"" } ?? "an unnamed context"
        }
        let violation = """
            \(operation()) on \(Self.threadName), which is not inside of \(queue.name). The owner is \
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
    /// Reports the call unless it is on the context's queue; one test of a flag where nothing is watched.
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

    /// Reports an access to the object's values off the context's queue, also where the context has gone.
    ///
    /// - Parameters:
    ///   - slot: What is accessed; negative for the object as a whole.
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
