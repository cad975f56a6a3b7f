// Leasing connections of a SQLite store: readers of the pool, and the one that writes. Called by contexts and saves.
import Foundation
import GraphArchives
import GraphSQL
import GraphSQLite

extension SQLiteStore {
    package func requireWriter() throws -> SQLiteWriter {
        guard let writer else { throw wasRemoved }
        return writer
    }

    var wasRemoved: NSError {
        CoreDataError.cannotOpen(url, reason: "it was removed", remedy: "Add it to the coordinator again.")
    }

    func lease(for context: NSManagedObjectContext?, holdsSnapshot: Bool) throws -> any ReadSession {
        try leaseReader(holdsSnapshot: holdsSnapshot)
    }

    /// A connection to read from: one of the pool, or the only one.
    package func leaseReader(holdsSnapshot: Bool = false) throws -> SQLiteReader {
        guard let connections else { throw wasRemoved }
        guard let pool = connections.pool else { return connections.writer }
        do {
            guard let reader = try pool.lease(makeReader) else { throw wasRemoved }
            reader.holdsSnapshot = holdsSnapshot
            return reader
        } catch let error as SQLiteError {
            // The file was removed or replaced, or the process has too many files open: what is open goes on.
            Diagnosis.log.debug("\(path) is read through the connection that writes it: \(error)")
            return connections.writer
        }
    }

    private func makeReader() throws -> SQLiteReader {
        if let still { return try reader(still.connection()) }
        guard file == FileIdentity(path) else {
            throw SQLiteError(code: 14, message: "another file is in the place of the store")
        }
        return try reader(
            StoreFile.open(
                at: path,
                isReadOnly: true,
                busyTimeout: busyTimeout,
                pragmas: StoreOptions.readerPragmas(options)
            )
        )
    }

    private func reader(_ connection: Connection) throws -> SQLiteReader {
        try prepareFunctions(connection)
        return SQLiteReader(self, connection)
    }

    func giveBack(_ session: any ReadSession) {
        guard let reader = session as? SQLiteReader, !(reader is SQLiteWriter) else { return }
        if let pool { pool.giveBack(reader) } else { reader.close() }
    }

    func beginSave(_ origin: SaveOrigin, for context: NSManagedObjectContext?) throws -> any WriteSession {
        if isReadOnly { throw CoreDataError.readOnly([self]) }
        let writer = try requireWriter()
        try writer.begin(origin)
        return writer
    }
}
