// GRDB's pool: one writer and several readers, each a connection, with the records of the row subject.
import Foundation
import GRDB

/// GRDB, a pool shared by the threads.
final class GRDBPool: SharedFile {
    static let name = "grdb-pool"
    static var filler: any Subject.Type { GRDBRowSubject.self }

    private let pool: DatabasePool

    init(file: URL) throws { pool = try GRDBFile.open(file) { try DatabasePool(path: $0) } }

    func makeClient() throws -> any Client { GRDBRowSubject(database: pool) }
}
