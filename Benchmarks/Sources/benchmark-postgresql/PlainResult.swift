// Results of libpq, read without copies.
import CLibpq
import Foundation

/// A result in binary form.
final class PlainResult {
    /// A row of a result.
    struct Row {
        let result: OpaquePointer
        let row: Int32

        private func value<T>(_ column: Int32, as type: T.Type) -> T {
            UnsafeRawPointer(PQgetvalue(result, row, column)).loadUnaligned(as: type)
        }

        func integer<T: FixedWidthInteger>(_ column: Int32) -> T { T(bigEndian: value(column, as: T.self)) }
        func real(_ column: Int32) -> Double { Double(bitPattern: integer(column) as UInt64) }
        func boolean(_ column: Int32) -> Bool { value(column, as: UInt8.self) != 0 }

        func date(_ column: Int32) -> Date {
            // Microseconds since 2000; Foundation counts from 2001.
            Date(timeIntervalSinceReferenceDate: Double(integer(column) as Int64) / 1e6 - 366 * 86_400)
        }

        func text(_ column: Int32) -> String {
            let bytes = UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column),
                count: Int(PQgetlength(result, row, column))
            )
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    func map<T>(_ body: (Row) -> T) -> [T] {
        let count = PQntuples(result)
        var values: [T] = []
        values.reserveCapacity(Int(count))
        for row in 0..<count { values.append(body(Row(result: result, row: row))) }
        return values
    }
}
