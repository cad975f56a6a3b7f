// Detects uses of contexts and objects off their queue. Off unless the program was started with
// `-com.apple.CoreData.ConcurrencyDebug 1` or 2. If on, the objects of every new context carry a bit that sends each
// access through the slow path, which checks the queue. If off, accesses do no extra work.

/// The ConcurrencyDebug switch.
package enum ConcurrencyDebug {
    /// Receives a report; the program continues.
    package typealias Handler = @Sendable (String) -> Void

    /// Whether new contexts are checked.
    static var isOn: Bool { isScoped || levelAtLaunch > 0 }
    /// Whether a report stops the program; false at level 2.
    static var stops: Bool { isScoped || levelAtLaunch != 2 }
    private static let levelAtLaunch = LaunchOptions.level("ConcurrencyDebug")
    @TaskLocal private static var isScoped = false
    @TaskLocal static var scopedHandler: Handler?

    /// Checks the contexts that `body` creates on this thread; for tests.
    ///
    /// - Parameters:
    ///   - handler: Receives the reports of those contexts; without one, the first report stops the program.
    ///   - body: Creates the contexts.
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws.
    package static func watching<R>(_ handler: Handler? = nil, _ body: () throws -> R) rethrows -> R {
        try $isScoped.withValue(true) { try $scopedHandler.withValue(handler, operation: body) }
    }
}
