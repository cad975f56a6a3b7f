// Apple's OSLog for other platforms: a subsystem and a category, which write through swift-log. Used by os_log and Logger.
#if !canImport(os)
    import Foundation
    import Logging

    /// Where log messages go.
    public final class OSLog: NSObject, Sendable {
        /// A category that Apple's tools know.
        public struct Category: Hashable, Sendable {
            let name: String

            /// Places that signposts mark.
            public static let pointsOfInterest = Category(name: "PointsOfInterest")
            /// Signposts that an analysis switches on.
            public static let dynamicTracing = Category(name: "DynamicTracing")
            /// Signposts with a stack.
            public static let dynamicStackTracing = Category(name: "DynamicStackTracing")
        }

        /// The log of messages that name none.
        public static let `default` = OSLog(nil)
        /// A log that drops its messages.
        public static let disabled = OSLog(Logging.Logger(label: "disabled") { _ in SwiftLogNoOpLogHandler() })

        private let given: Logging.Logger?

        private init(_ logger: Logging.Logger?) { given = logger }

        /// Makes a log.
        ///
        /// - Parameters:
        ///   - subsystem: The label of the swift-log logger.
        ///   - category: Its metadata value `category`.
        public convenience init(subsystem: String, category: String) {
            var logger = Logging.Logger(label: subsystem)
            logger[metadataKey: "category"] = .string(category)
            self.init(logger)
        }

        /// Makes a log.
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
        /// - Returns: Whether the logger's level lets them through.
        public func isEnabled(type: OSLogType) -> Bool { logger.logLevel <= type.level }

        /// The swift-log logger.
        ///
        /// That of the default log is made when it is used: the program may set up swift-log meanwhile.
        var logger: Logging.Logger { given ?? Logging.Logger(label: ProcessInfo.processInfo.processName) }
    }
#endif
