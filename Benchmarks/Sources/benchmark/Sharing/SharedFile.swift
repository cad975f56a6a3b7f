// What several threads use at the same time. The cases of sharing ask for a client for each thread.
import Foundation

/// One way to use a file from several threads.
protocol SharedFile: AnyObject, Sendable {
    /// The name in the table and on the command line.
    static var name: String { get }

    /// The subject that fills the file.
    static var filler: any Subject.Type { get }

    /// Opens a full file once for all threads; not timed.
    init(file: URL) throws

    /// Makes the client of one thread; not timed.
    func makeClient() throws -> any Client
}

/// What one thread reads and writes with.
protocol Client: AnyObject {
    /// Writes the rows durably in one transaction.
    func insert(_ rows: [InputRow]) throws

    /// Fetches all rows as objects or records, then reads every value of each.
    func fetch() throws -> Checksum

    /// Fetches the row at a position in the order of insertion by its key, then reads every value of it.
    func fetchOne(_ position: Int) throws -> Checksum
}

/// Everything that is compared where threads share a file, in the order of the table.
var allSharedFiles: [any SharedFile.Type] {
    [CAPIFile.self, GRDBPool.self, ManagedGraphSubject.self]
}
