// Apple's levels of log messages, and those of swift-log that stand for them. Used by Logger and os_log.
#if !canImport(os)
    import Logging

    /// The level of a log message.
    public struct OSLogType: RawRepresentable, Hashable, Sendable {
        /// Apple's number of the level.
        public let rawValue: UInt8

        /// Makes a level from Apple's number.
        ///
        /// - Parameter rawValue: The number.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Makes a level from Apple's number.
        ///
        /// - Parameter rawValue: The number.
        public init(_ rawValue: UInt8) { self.rawValue = rawValue }

        /// What may help to find the cause of a failure.
        public static let `default` = OSLogType(rawValue: 0)
        /// What is helpful and not essential.
        public static let info = OSLogType(rawValue: 1)
        /// What matters while the program is written.
        public static let debug = OSLogType(rawValue: 2)
        /// An error of the program.
        public static let error = OSLogType(rawValue: 16)
        /// A mistake in the program, or a failure of the system.
        public static let fault = OSLogType(rawValue: 17)

        /// The level of swift-log.
        var level: Logging.Logger.Level {
            switch self {
            case .debug: .debug
            case .info: .info
            case .error: .error
            case .fault: .critical
            default: .notice
            }
        }
    }
#endif
