// The rows of one statement, as libpq has received them in binary form. Made by PostgreSQLConnection; independent of the
// connection afterwards.
import CPostgreSQL
import Foundation
import GraphEngine

/// The result of a statement.
///
/// Immutable; any thread may read it.
package final class PostgreSQLResult: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The number of rows.
    package let count: Int
    package let columnCount: Int

    /// Takes ownership of a result of libpq.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        count = Int(PQntuples(pointer))
        columnCount = Int(PQnfields(pointer))
    }

    deinit { PQclear(pointer) }

    /// The number of rows inserted, updated, deleted or selected.
    package var affectedRows: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The command that ran, such as `INSERT 0 1`.
    package var command: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

    package var columnNames: [String] {
        (0..<columnCount).map { PQfname(pointer, Int32($0)).map { String(cString: $0) } ?? "" }
    }

    /// The type of a column.
    package func type(_ column: Int) -> PostgreSQLType { PostgreSQLType(oid: PQftype(pointer, Int32(column))) }

    /// The bytes of a cell, valid as long as the result; nil for NULL.
    @inline(__always)
    package func bytes(_ column: Int, _ row: Int) -> UnsafeRawBufferPointer? {
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        let length = PQgetlength(pointer, row, column)
        if length == 0, PQgetisnull(pointer, row, column) != 0 { return nil }
        return UnsafeRawBufferPointer(start: PQgetvalue(pointer, row, column), count: Int(length))
    }

    package func isNull(_ column: Int, _ row: Int) -> Bool {
        PQgetisnull(pointer, Int32(row), Int32(column)) != 0
    }

    /// The error of a cell that is not of the requested kind.
    func mismatch(_ column: Int, _ row: Int, _ kind: String) -> PostgreSQLError {
        let name = columnNames.indices.contains(column) ? columnNames[column] : "\(column)"
        return PostgreSQLError(
            state: "42804",
            message: "the column \(name) of row \(row) has the type \(type(column)) and cannot be read as \(kind)"
        )
    }
}
