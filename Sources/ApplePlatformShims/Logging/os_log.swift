// Apple's os_log functions for other platforms. Messages go to swift-log.
#if !canImport(os)
    import Foundation

    /// Writes a log message.
    ///
    /// - Parameters:
    ///   - message: The format; `%{public}@` shows a value; `%@`, `%s` and `%{private}d` hide theirs.
    ///   - dso: Not used.
    ///   - log: The log.
    ///   - type: The level.
    ///   - arguments: The values.
    public func os_log(
        _ message: StaticString,
        dso: UnsafeRawPointer? = nil,
        log: OSLog = .default,
        type: OSLogType = .default,
        _ arguments: Any?...
    ) {
        write(message, log, type, arguments)
    }

    /// Writes a log message.
    ///
    /// - Parameters:
    ///   - type: The level.
    ///   - dso: Not used.
    ///   - log: The log.
    ///   - message: The format; `%{public}@` shows a value; `%@`, `%s` and `%{private}d` hide theirs.
    ///   - arguments: The values.
    public func os_log(
        _ type: OSLogType,
        dso: UnsafeRawPointer? = nil,
        log: OSLog = .default,
        _ message: StaticString,
        _ arguments: Any?...
    ) {
        write(message, log, type, arguments)
    }

    /// Writes a log message of the level `default`.
    ///
    /// - Parameter message: The message; its values are evaluated only if it is logged.
    @_disfavoredOverload
    public func os_log(_ message: @autoclosure () -> OSLogMessage) {
        OSLog.default.logger.log(level: OSLogType.default.level, "\(message().text)")
    }

    /// Writes a log message.
    ///
    /// - Parameters:
    ///   - type: The level.
    ///   - log: The log.
    ///   - message: The message; its values are evaluated only if it is logged.
    @_disfavoredOverload
    public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: @autoclosure () -> OSLogMessage) {
        log.logger.log(level: type.level, "\(message().text)")
    }

    private func write(_ message: StaticString, _ log: OSLog, _ type: OSLogType, _ arguments: [Any?]) {
        log.logger.log(level: type.level, "\(OSLogFormat.text("\(message)", arguments))")
    }
#endif
