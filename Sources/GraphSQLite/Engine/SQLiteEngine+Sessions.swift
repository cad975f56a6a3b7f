// Leases the connections of an SQLite store: the pool's readers, and the writer. Called by contexts and saves.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQL

extension SQLiteEngine {
    package func requireWriter() throws -> SQLiteWriter {
        guard let writer, !isRetired.load(ordering: .acquiring) else { throw closed }
        return writer
    }

    package func lease(holdsSnapshot: Bool) throws -> any ReadSession {
        try leaseReader(holdsSnapshot: holdsSnapshot)
    }

    /// Leases a connection for reading: one of the pool, or the only one.
    package func leaseReader(holdsSnapshot: Bool = false) throws -> SQLiteReader {
        guard let connections else { return try lateReader(holdsSnapshot) }
        guard let pool = connections.pool else { return connections.writer }
        do {
            guard let reader = try pool.lease(makeReader) else { return try lateReader(holdsSnapshot) }
            reader.holdsSnapshot = holdsSnapshot
            return reader
        } catch let error as SQLiteError {
            // The file was removed or replaced, or the process has too many open files: the open writer still works.
            log(.debug, "\(path) is read through the connection that writes it: \(error)")
            return connections.writer
        }
    }

    private func makeReader() throws -> SQLiteReader { SQLiteReader(self, try readingConnection()) }

    /// A reader for a caller that has found the store before another one took its place; closed when it is given back.
    private func lateReader(_ holdsSnapshot: Bool) throws -> SQLiteReader {
        let reader = SQLiteReader(self, try mapErrors { try lateConnection() })
        reader.holdsSnapshot = holdsSnapshot
        return reader
    }

    /// A connection to the file of a store whose place another one has taken.
    func lateConnection() throws -> Connection {
        guard isRetired.load(ordering: .acquiring), hasGenerations else { throw closed }
        return try readingConnection()
    }

    private func readingConnection() throws -> Connection {
        let connection = try still?.connection() ?? fileConnection()
        try prepareFunctions(connection)
        return connection
    }

    private func fileConnection() throws -> Connection {
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
        return try configuration.monitor.map { try $0.monitoringNewConnections(open) } ?? open()
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
