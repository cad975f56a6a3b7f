// Reading the current row of a statement, value by value. Large results go through fetchBatch instead.
import CSQLite
import Foundation
import GraphSQL

extension Statement {
    package func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL
    }

    package func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(pointer, Int32(column))
    }

    package func real(_ column: Int) -> Double {
        sqlite3_column_double(pointer, Int32(column))
    }

    /// The text; empty for NULL.
    package func string(_ column: Int) -> String {
        guard let start = sqlite3_column_text(pointer, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes; empty for NULL.
    package func data(_ column: Int) -> Data {
        guard let bytes = sqlite3_column_blob(pointer, Int32(column)) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(pointer, Int32(column))))
    }

    package func value(_ column: Int) -> SQLValue {
        switch sqlite3_column_type(pointer, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(string(column))
        case SQLITE_BLOB: .blob(data(column))
        default: .null
        }
    }

    package func columnName(_ column: Int) -> String {
        sqlite3_column_name(pointer, Int32(column)).map { String(cString: $0) } ?? ""
    }
}
