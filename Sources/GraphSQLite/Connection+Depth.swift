// Whether SQLite's parser accepts a statement: its stack has a fixed size in many builds, and expressions have a
// maximum depth. Called by the store for statements with many parentheses.

extension Connection {
    /// Whether a statement is nested too deeply for this process's SQLite.
    ///
    /// - Parameter sql: The statement; its tables need not exist.
    /// - Returns: True if the parser exceeds its limit; false if it accepts the statement or finds another error.
    package static func isTooDeep(_ sql: String) -> Bool {
        do {
            _ = try Connection(path: ":memory:").prepare(sql)
            return false
        } catch let error as SQLiteError {
            return error.message.contains("parser stack overflow") || error.message.contains("maximum depth")
        } catch {
            return false
        }
    }
}
