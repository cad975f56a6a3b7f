// The values of binary cells by their types. Used for single cells and, for types that are rare, by the decoder of
// batches.
import Foundation
import GraphEngine

/// Converts cells; each function returns nil for a type or a value that does not fit.
enum CellDecoder {
    static func integer(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) -> Int64? {
        switch (type, bytes.count) {
        case (.int8, 8): bytes.bigEndian(at: 0)
        case (.int4, 4): Int64(bytes.bigEndian(at: 0) as Int32)
        case (.int2, 2): Int64(bytes.bigEndian(at: 0) as Int16)
        case (.oid, 4): Int64(bytes.bigEndian(at: 0) as UInt32)
        case (.boolean, 1): bytes[0] == 0 ? 0 : 1
        case (.numeric, _): PostgreSQLNumeric(bytes)?.integer
        case (.float8, 8), (.float4, 4): real(bytes, type).flatMap { Int64(exactly: $0) }
        default: nil
        }
    }

    static func real(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) -> Double? {
        switch (type, bytes.count) {
        case (.float8, 8): Double(bitPattern: bytes.bigEndian(at: 0))
        case (.float4, 4): Double(Float(bitPattern: bytes.bigEndian(at: 0)))
        case (.timestamptz, 8), (.timestamp, 8): PostgreSQLTime.seconds(bytes.bigEndian(at: 0) as Int64)
        case (.date, 4): PostgreSQLTime.seconds(day: bytes.bigEndian(at: 0))
        case (.numeric, _): PostgreSQLNumeric(bytes)?.double
        default: integer(bytes, type).map { Double($0) }
        }
    }

    static func string(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) -> String? {
        switch type {
        case .numeric: PostgreSQLNumeric(bytes)?.text
        case .uuid: uuid(bytes, type)?.uuidString
        case .jsonb: bytes.first == 1 ? String(validating: bytes.dropFirst(), as: UTF8.self) : nil
        case .int8, .int4, .int2, .oid: integer(bytes, type)?.description
        default: type.isText ? String(validating: bytes, as: UTF8.self) : nil
        }
    }

    static func uuid(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) -> UUID? {
        guard type == .uuid || type == .bytea, bytes.count == 16 else { return nil }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    static func value(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) -> RowValue? {
        switch type {
        case .int8, .int4, .int2, .oid, .boolean: integer(bytes, type).map(RowValue.integer)
        case .float8, .float4, .timestamptz, .timestamp, .date: real(bytes, type).map(RowValue.real)
        case .numeric: PostgreSQLNumeric(bytes).map { .decimal($0.decimal) }
        case .uuid: uuid(bytes, type).map(RowValue.uuid)
        case .bytea: .data(Data(bytes))
        default: string(bytes, type).map(RowValue.string)
        }
    }

    /// The elements of an array of at most one dimension.
    static func list(_ bytes: UnsafeRawBufferPointer) -> [RowValue]? {
        guard bytes.count >= 12 else { return nil }
        let dimensions: Int32 = bytes.bigEndian(at: 0)
        let type = PostgreSQLType(oid: bytes.bigEndian(at: 8))
        if dimensions == 0 { return [] }
        guard dimensions == 1, bytes.count >= 20 else { return nil }
        let count: Int32 = bytes.bigEndian(at: 12)
        guard count >= 0 else { return nil }
        var values: [RowValue] = []
        var place = 20
        for _ in 0..<count {
            guard place + 4 <= bytes.count else { return nil }
            let length = Int(bytes.bigEndian(at: place) as Int32)
            place += 4
            if length < 0 {
                values.append(.null)
                continue
            }
            guard place + length <= bytes.count,
                let value = value(UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]), type)
            else { return nil }
            values.append(value)
            place += length
        }
        return values
    }
}
