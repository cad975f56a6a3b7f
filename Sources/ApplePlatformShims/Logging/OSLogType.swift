// Apple's levels of log messages, and the corresponding levels of swift-log. Used by Logger and os_log.
#if !canImport(os)
    import Logging

    /// The level of a log message.
    public struct OSLogType: RawRepresentable, Hashable, Sendable {
        /// Apple's number for the level.
        public let rawValue: UInt8

        /// Creates a level from Apple's number.
        ///
        /// - Parameter rawValue: The number.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Creates a level from Apple's number.
        ///
        /// - Parameter rawValue: The number.
        public init(_ rawValue: UInt8) { self.rawValue = rawValue }

        /// Information that may help to diagnose a failure.
        public static let `default` = OSLogType(rawValue: 0)
        /// Helpful, nonessential information.
        public static let info = OSLogType(rawValue: 1)
        /// Information for development.
        public static let debug = OSLogType(rawValue: 2)
        /// An error in the program.
        public static let error = OSLogType(rawValue: 16)
        /// A bug in the program, or a failure of the system.
        public static let fault = OSLogType(rawValue: 17)

        /// The corresponding level of swift-log.
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
