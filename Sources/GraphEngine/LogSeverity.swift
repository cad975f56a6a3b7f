// The severities of the messages that an engine logs.

/// The severity of a log message.
package enum LogSeverity: Sendable { case debug, warning, error }
