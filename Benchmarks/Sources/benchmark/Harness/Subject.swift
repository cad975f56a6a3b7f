// What is compared. Each subject keeps its rows in a file of its own; the harness times `insert` and `fetch` only.
import Foundation

/// One way to keep rows in SQLite.
protocol Subject: AnyObject {
    /// How it is called in the table and on the command line.
    static var name: String { get }

    /// Opens the file, or makes it with its table; not timed.
    ///
    /// - Parameter file: The path of the database.
    /// - Throws: What the library says where the file cannot be opened.
    init(file: URL) throws

    /// Writes the rows durably in one transaction.
    func insert(_ rows: [InputRow]) throws

    /// Writes the rows durably in one transaction, as fast as the library can where nobody needs objects of them.
    func batchInsert(_ rows: [InputRow]) throws

    /// Sets the amount of all rows of a priority, without objects.
    ///
    /// - Returns: How many rows there were.
    func batchUpdate(priority: Int16, amount: Double) throws -> Int

    /// Deletes all rows of a priority, without objects.
    ///
    /// - Returns: How many rows there were.
    func batchDelete(priority: Int16) throws -> Int

    /// Adds a column, or an attribute, to the rows of a file that nobody has open, and closes it again.
    ///
    /// - Parameters:
    ///   - file: The path of the database, filled by this subject.
    ///   - fallback: What the rows get there; nil for nothing.
    /// - Throws: What the library says where that cannot be done.
    static func addColumn(to file: URL, default fallback: Int?) throws

    /// Fetches all rows as objects or records, then reads every value of each.
    func fetch() throws -> Checksum

    /// Fetches all rows as objects or records, reads every value once, and gives back what has to be held so that they
    /// stay in memory.
    ///
    /// - Returns: What is held, and the checksum of the values.
    /// - Throws: What the library says where the file cannot be read.
    func hold() throws -> (held: Any, checksum: Checksum)
}

/// What is timed, for each row.
enum Case: String, CaseIterable {
    case fetch
    case insert
    case batchInsert = "batch-insert"
    /// For each row that is changed: a fifth of them.
    case batchUpdate = "batch-update"
    case batchDelete = "batch-delete"
    /// A new optional column, for each row of the file; the file is opened and closed.
    case addColumn = "add-column"
    /// The same with a default value.
    case addDefault = "add-default"

    /// The most that ManagedGraph may take, as a multiple of the C API; nil where nothing was promised.
    var goal: Double? {
        switch self {
        case .fetch: 2.0
        case .insert: 3.0
        case .batchInsert: 1.3
        case .addColumn, .addDefault: 2.0
        case .batchUpdate, .batchDelete: nil
        }
    }
}

/// Why a run cannot be trusted.
struct BenchmarkError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
