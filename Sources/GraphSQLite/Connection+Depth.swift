// Whether SQLite's parser reads a statement at all: its stack has a fixed size in many builds, and its expressions a
// greatest depth. Asked by the store for statements with many parentheses.

extension Connection {
    /// Whether a statement is nested deeper than this process's SQLite reads.
    ///
    /// - Parameter text: The statement; its tables need not exist.
    /// - Returns: True if the parser gives up; false also where it finds another fault.
    package static func isTooDeep(_ text: String) -> Bool {
        do {
            _ = try Connection(path: ":memory:").prepare(text)
            return false
        } catch let error as SQLiteError {
            return error.message.contains("parser stack overflow") || error.message.contains("maximum depth")
        } catch {
            return false
        }
    }
}
