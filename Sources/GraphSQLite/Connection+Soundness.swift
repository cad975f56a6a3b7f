// SQLite's check of a whole file. Called before a store is opened or migrated, and after migrations.

extension Connection {
    /// The first problem that SQLite finds in the file; nil for a sound one.
    ///
    /// O(pages of the file).
    ///
    /// - Parameter checksIndexes: Whether the entries of indexes are compared with the rows.
    /// - Returns: A line of SQLite's report.
    /// - Throws: `SQLiteError` if a page could not be read: a failing disk or a lack of memory does not mean damage.
    package func firstProblem(checksIndexes: Bool) throws -> String? {
        let rows = try rows(checksIndexes ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)")
        guard case .text(let report)? = rows.first?.first, report != "ok" else { return nil }
        // The check continues past an unreadable page and reports only the error number.
        if let number = report.firstMatch(of: /error code=([0-9]+)/).flatMap({ Int32($0.1) }) {
            let error = SQLiteError(code: number, extendedCode: number, message: report)
            if error.kind == .inputOutput || error.kind == .outOfMemory { throw error }
        }
        return report.split(separator: "\n").first { !$0.hasPrefix("***") }.map(String.init) ?? report
    }
}
