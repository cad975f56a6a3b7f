// The table that the C API and GRDB share, so that both write the same bytes.

/// The statements over the table of entries.
enum Table {
    static let create = """
        CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, text VARCHAR, priority INTEGER, date TIMESTAMP, \
        isDone INTEGER, amount FLOAT, number INTEGER)
        """
    static let insert =
        "INSERT INTO entry (text, priority, date, isDone, amount, number) VALUES (?, ?, ?, ?, ?, ?)"
    static let update = "UPDATE entry SET amount = ? WHERE priority = ?"
    static let delete = "DELETE FROM entry WHERE priority = ?"
    /// The statement that adds a column.
    static func addColumn(default fallback: Int?) -> String {
        "ALTER TABLE entry ADD COLUMN rank INTEGER" + (fallback.map { " NOT NULL DEFAULT \($0)" } ?? "")
    }
    static let select = "SELECT text, priority, date, isDone, amount, number FROM entry"
    static let selectOne = select + " WHERE id = ?"
    /// The key of the row at a position in the order of insertion.
    static func key(of position: Int) -> Int64 { Int64(position) + 1 }
}
