// Finds uses of contexts and objects off their queue. Off unless the program was started with
// `-com.apple.CoreData.ConcurrencyDebug 1`; then every context made watches its objects: they carry a bit that sends
// each access through the slow path, which asks the queue. Without the switch no access does any of this.
import Foundation
import Synchronization

/// The switch and what to do about a violation.
package enum ConcurrencyDebug {
    /// Whether contexts made from now on are watched.
    package static var isOn: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }

    /// Takes the reports in place of stopping the program; for tests.
    package static var handler: (@Sendable (String) -> Void)? {
        get { chosenHandler.withLock { $0 } }
        set { chosenHandler.withLock { $0 = newValue } }
    }

    private static let state = Atomic<Bool>(LaunchOptions.level("ConcurrencyDebug") > 0)
    private static let chosenHandler = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Reports an access off the queue, and stops as Apple's framework does.
    static func report(_ context: NSManagedObjectContext, _ operation: String) {
        let name = context.name.map { " \"\($0)\"" } ?? ""
        let message = """
            \(operation) of the context\(name) on \(threadName), which is not inside of \(context.queue.name). Use perform \
            or performAndWait of the context.
            \(Thread.callStackSymbols.dropFirst(2).prefix(24).joined(separator: "\n"))
            """
        if let handler { return handler(message) }
        FileHandle.standardError.write(Data("CoreData concurrency violation: \(message)\n".utf8))
        preconditionFailure(
            "Multithreading violation: \(operation) off the context's queue. See the call stack on standard error."
        )
    }

    private static var threadName: String {
        Thread.isMainThread
            ? "the main thread"
            : "thread \(Thread.current.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(pthread_self())")"
    }
}

extension NSManagedObjectContext {
    /// Reports the call unless it is on the context's queue; one test of a flag where nothing is watched.
    @inline(__always)
    final func checkQueue(_ operation: @autoclosure () -> String) {
        if registry.isWatched { checkWatched(operation()) }
    }

    @inline(never)
    final func checkWatched(_ operation: String) {
        if !queue.isCurrent { ConcurrencyDebug.report(self, operation) }
    }
}

extension NSManagedObject {
    /// Reports an access to the object's values off the context's queue.
    @inline(never)
    final func checkAccess() {
        guard let context = registry?.context else { return }
        context.checkWatched("Access to \(describeForMessages)")
    }
}
