// The rows of a COPY in binary form, in a buffer that is sent whenever it is full. Filled by callers of
// PostgreSQLConnection.copyIn.
//
//   OFFSET  SIZE  DESCRIPTION
//   0       11    signature
//   11      8     flags, and the length of an extension: 0
//   19      …     each row: the number of fields in 2 bytes; each field: its length in 4 bytes, or -1 for NULL; its bytes
//   end     2     -1
import Foundation
import GraphEngine
import GraphSQL

/// Writes the rows of a COPY.
package struct CopyWriter: ~Copyable {
    private static let signature: [UInt8] = [
        0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    /// The size from which the buffer is sent.
    private static let portion = 1 << 16

    private var bytes: [UInt8]
    private let send: ([UInt8]) throws -> Void
    private var missingFields = 0
    /// The number of rows.
    package private(set) var count = 0

    init(send: @escaping ([UInt8]) throws -> Void) {
        bytes = []
        bytes.reserveCapacity(2 * Self.portion)
        bytes += Self.signature
        self.send = send
    }

    /// Begins a row; its fields follow in the order of the columns.
    ///
    /// - Parameter fields: The number of columns of the COPY.
    /// - Throws: `PostgreSQLError` if the last row is not complete, or the connection is lost.
    package mutating func beginRow(fields: Int) throws {
        try checkRow()
        if bytes.count >= Self.portion { try sendPortion() }
        bytes.append(bigEndian: Int16(fields))
        missingFields = fields
        count += 1
    }

    /// Writes a whole row.
    ///
    /// - Parameters:
    ///   - values: The values, one for each column.
    ///   - types: The columns' types.
    /// - Throws: `PostgreSQLError` if a value does not fit its type.
    package mutating func row(_ values: [SQLValue], as types: [PostgreSQLType]) throws {
        try beginRow(fields: values.count)
        for (value, type) in zip(values, types) { try append(value, as: type) }
    }

    /// Appends a value in the form of its column's type.
    ///
    /// - Throws: `PostgreSQLError` if the type has no such value.
    package mutating func append(_ value: SQLValue, as type: PostgreSQLType) throws {
        missingFields -= 1
        try ValueEncoder.append(field: value, as: type, to: &bytes)
    }

    package mutating func appendNull() {
        missingFields -= 1
        bytes.append(bigEndian: -1 as Int32)
    }

    /// Appends a field of type `bigint`.
    package mutating func append(_ value: Int64) { fixed(value) }

    /// Appends a field of type `integer`.
    package mutating func append(_ value: Int32) { fixed(value) }

    /// Appends a field of type `smallint`.
    package mutating func append(_ value: Int16) { fixed(value) }

    /// Appends a field of type `boolean`.
    package mutating func append(_ value: Bool) { fixed((value ? 1 : 0) as UInt8) }

    /// Appends a field of type `double precision`.
    package mutating func append(_ value: Double) { fixed(value.bitPattern) }

    /// Appends a field of type `timestamptz`.
    ///
    /// - Throws: `PostgreSQLError` if the time is out of range.
    package mutating func append(time seconds: Double) throws {
        missingFields -= 1
        bytes.append(bigEndian: 8 as Int32)
        try ValueEncoder.append(time: seconds, to: &bytes)
    }

    /// Appends a field of type `uuid`.
    package mutating func append(_ value: UUID) {
        missingFields -= 1
        bytes.append(bigEndian: 16 as Int32)
        withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
    }

    /// Appends a field of type `text` or `varchar`.
    ///
    /// - Throws: `PostgreSQLError` if the text contains the character U+0000.
    package mutating func append(_ value: String) throws { try append(.text(value), as: .text) }

    /// Appends a field of type `bytea`.
    ///
    /// - Throws: `PostgreSQLError` if the data has more than 1 GB.
    package mutating func append(_ value: Data) throws { try append(.blob(value), as: .bytea) }

    @inline(__always)
    private mutating func fixed(_ number: some FixedWidthInteger) {
        missingFields -= 1
        bytes.append(bigEndian: Int32(number.bitWidth / 8))
        bytes.append(bigEndian: number)
    }

    /// Sends the rest and the end mark.
    mutating func finish() throws {
        try checkRow()
        bytes.append(bigEndian: -1 as Int16)
        try sendPortion()
    }

    private mutating func sendPortion() throws {
        try send(bytes)
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 22)
    }

    private func checkRow() throws {
        if missingFields == 0 { return }
        throw PostgreSQLError(
            state: "22P04",
            message:
                "row \(count) of a COPY has \(missingFields.magnitude) fields too \(missingFields > 0 ? "few" : "many")"
        )
    }
}
