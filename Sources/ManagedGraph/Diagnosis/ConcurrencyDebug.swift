// Finds uses of contexts and objects off their queue. Off unless the program was started with
// `-com.apple.CoreData.ConcurrencyDebug 1` or 2; then every context made watches its objects: they carry a bit that sends
// each access through the slow path, which asks the queue. Without the switch no access does any of this.

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
