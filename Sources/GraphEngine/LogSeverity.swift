// The services that an engine requires from the graph. Beside `EngineHost`.

/// The severity of a log message.
package enum LogSeverity: Sendable { case debug, warning, error }
