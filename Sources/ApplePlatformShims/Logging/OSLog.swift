// Apple's OSLog for other platforms: a subsystem and a category that write through swift-log. Used by os_log and
// Logger.
#if !canImport(os)
    import Foundation
    import Logging

    /// A destination of log messages.
    public final class OSLog: NSObject, Sendable {
        /// A category defined by Apple.
        public struct Category: Hashable, Sendable {
            let name: String

            /// Points of interest, marked by signposts.
            public static let pointsOfInterest = Category(name: "PointsOfInterest")
            /// Signposts that a profiler enables.
            public static let dynamicTracing = Category(name: "DynamicTracing")
            /// Signposts with a stack trace.
            public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
        }

        /// The log of messages without an explicit log.
        public static let `default` = OSLog(nil)
        /// A log that drops its messages.
        public static let disabled = OSLog(Logging.Logger(label: "disabled") { _ in SwiftLogNoOpLogHandler() })

        /// The log's logger; nil for the default log.
        private let ownLogger: Logging.Logger?

        private init(_ logger: Logging.Logger?) { ownLogger = logger }

        /// Creates a log.
        ///
        /// - Parameters:
        ///   - subsystem: The label of the swift-log logger.
        ///   - category: Its metadata value `category`.
        public convenience init(subsystem: String, category: String) {
            var logger = Logging.Logger(label: subsystem)
            logger[metadataKey: "category"] = .string(category)
            self.init(logger)
        }

        /// Creates a log.
        ///
        /// - Parameters:
        ///   - subsystem: The label of the swift-log logger.
        ///   - category: Its metadata value `category`.
        public convenience init(subsystem: String, category: Category) {
            self.init(subsystem: subsystem, category: category.name)
        }

        /// Whether messages of a level are written.
        ///
        /// - Parameter type: The level.
        /// - Returns: Whether the logger's level allows them.
        public func isEnabled(type: OSLogType) -> Bool { logger.logLevel <= type.level }

        /// The swift-log logger.
        ///
        /// The default log creates it on each use, because the program may configure swift-log later.
        var logger: Logging.Logger { ownLogger ?? Logging.Logger(label: ProcessInfo.processInfo.processName) }
    }
#endif
