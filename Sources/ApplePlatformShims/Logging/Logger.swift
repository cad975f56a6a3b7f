// Apple's Logger for other platforms. It writes to swift-log with the subsystem as label and the category as metadata.
#if !canImport(os)
    import Foundation
    import Logging

    /// Writes log messages of a subsystem and category.
    public struct Logger: Sendable {
        private let logger: Logging.Logger

        /// Creates a logger.
        ///
        /// - Parameters:
        ///   - subsystem: The label of the swift-log logger.
        ///   - category: Its metadata value `category`.
        public init(subsystem: String, category: String) { self.init(OSLog(subsystem: subsystem, category: category)) }

        /// Creates a logger without a subsystem.
        public init() { self.init(.default) }

        /// Creates a logger that writes to a log.
        ///
        /// - Parameter logObj: The log.
        public init(_ logObj: OSLog) { logger = logObj.logger }

        /// Writes a message of the level `default`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func log(_ message: @autoclosure () -> OSLogMessage) { write(.notice, message()) }

        /// Writes a message.
        ///
        /// - Parameters:
        ///   - level: Its level.
        ///   - message: The message; its values are evaluated only if it is logged.
        public func log(level: OSLogType, _ message: @autoclosure () -> OSLogMessage) { write(level.level, message()) }

        /// Writes a message of the level `trace`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func trace(_ message: @autoclosure () -> OSLogMessage) { write(.trace, message()) }

        /// Writes a message of the level `debug`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func debug(_ message: @autoclosure () -> OSLogMessage) { write(.debug, message()) }

        /// Writes a message of the level `info`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func info(_ message: @autoclosure () -> OSLogMessage) { write(.info, message()) }

        /// Writes a message of the level `default`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func notice(_ message: @autoclosure () -> OSLogMessage) { write(.notice, message()) }

        /// Writes a message of the level `error`, as a warning in swift-log.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func warning(_ message: @autoclosure () -> OSLogMessage) { write(.warning, message()) }

        /// Writes a message of the level `error`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func error(_ message: @autoclosure () -> OSLogMessage) { write(.error, message()) }

        /// Writes a message of the level `fault`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func critical(_ message: @autoclosure () -> OSLogMessage) { write(.critical, message()) }

        /// Writes a message of the level `fault`.
        ///
        /// - Parameter message: The message; its values are evaluated only if it is logged.
        public func fault(_ message: @autoclosure () -> OSLogMessage) { write(.critical, message()) }

        private func write(_ level: Logging.Logger.Level, _ message: @autoclosure () -> OSLogMessage) {
            logger.log(level: level, "\(message().text)")
        }
    }
#endif
