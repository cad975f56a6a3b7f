// Leases the connections of an SQLite store: the pool's readers, and the writer. Called by contexts and saves.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQL

extension SQLiteEngine {
    package func requireWriter() throws -> SQLiteWriter {
        guard let writer else { throw closed }
        return writer
    }

    package func lease(holdsSnapshot: Bool) throws -> any ReadSession {
        try leaseReader(holdsSnapshot: holdsSnapshot)
    }

    /// Leases a connection for reading: one of the pool, or the only one.
    package func leaseReader(holdsSnapshot: Bool = false) throws -> SQLiteReader {
        guard let connections else { throw closed }
        guard let pool = connections.pool else { return connections.writer }
        do {
            guard let reader = try pool.lease(makeReader) else { throw closed }
            reader.holdsSnapshot = holdsSnapshot
            return reader
        } catch let error as SQLiteError {
            // The file was removed or replaced, or the process has too many open files: the open writer still works.
            log(.debug, "\(path) is read through the connection that writes it: \(error)")
            return connections.writer
        }
    }

    private func makeReader() throws -> SQLiteReader {
        if let still { return try reader(still.connection()) }
        guard file == FileIdentity(path) else {
            throw SQLiteError(code: 14, message: "another file is in the place of the store")
        }
        func open() throws -> Connection {
            try StoreFile.open(
                at: path,
                isReadOnly: true,
                busyTimeout: configuration.busyTimeout,
                pragmas: configuration.readerPragmas
            )
        }
        return try reader(configuration.monitor.map { try $0.monitoringNewConnections(open) } ?? open())
    }

    private func reader(_ connection: Connection) throws -> SQLiteReader {
        try prepareFunctions(connection)
        return SQLiteReader(self, connection)
    }

    package func giveBack(_ session: any ReadSession) {
        guard let reader = session as? SQLiteReader, !(reader is SQLiteWriter) else { return }
        if let pool { pool.giveBack(reader) } else { reader.close() }
    }

    package func beginSave(_ origin: SaveOrigin) throws -> any WriteSession {
        let writer = try requireWriter()
        try writer.begin(origin)
        return writer
    }
}

extension SQLiteEngine {
    package var counts: EngineCounts {
        guard let connections else { return EngineCounts() }
        let readers = connections.pool?.counts ?? (statements: 0, rows: 0)
        let writer = connections.writer
        var result = EngineCounts()
        result.statements = writer.connection.statementsRun + readers.statements
        result.rowsRead = writer.connection.rowsRead + readers.rows
        result.rowsWritten = writer.rowsWritten.load(ordering: .relaxed)
        result.transactions = writer.transactions.load(ordering: .relaxed)
        return result
    }

    /// Ends the readers' snapshots, before the file is emptied or replaced.
    package func endSnapshots() { pool?.renewAll() }
}
