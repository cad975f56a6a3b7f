// The binary forms of values, as parameters of statements and as fields of COPY. Used by ParameterList and CopyWriter.
import Foundation
import GraphArchives
import GraphEngine
import GraphPredicates
import GraphSQL

/// Appends values in their binary form.
enum ValueEncoder {
    /// The type under which a value is sent.
    static func type(of value: SQLValue) -> PostgreSQLType {
        switch value {
        case .null: .inferred
        case .integer: .int8
        case .real: .float8
        case .text: .text
        case .blob: .bytea
        case .typed(let value):
            switch value {
            case .boolean: .boolean
            case .decimal: .numeric
            case .time: .timestamptz
            case .uuid: .uuid
            case .list(_, let type): .array(of: type)
            }
        }
    }

    /// Appends a value in the form of a type; NULL has none, and is the caller's.
    ///
    /// - Throws: `PostgreSQLError` if the type has no such value.
    static func append(_ value: SQLValue, as type: PostgreSQLType, to bytes: inout [UInt8]) throws {
        switch value {
        case .null: throw mismatch("NULL", type)
        case .integer(let number): try append(number, as: type, to: &bytes)
        case .real(let number): try append(number, as: type, to: &bytes)
        case .text(let text):
            guard type.isText || type == .jsonb else { throw mismatch("a text", type) }
            // The binary form of this type begins with its version.
            if type == .jsonb { bytes.append(1) }
            var copy = text
            let isClean = copy.withUTF8 { utf8 in
                bytes.append(contentsOf: utf8)
                return utf8.baseAddress.map { memchr($0, 0, utf8.count) == nil } ?? true
            }
            guard isClean else {
                throw PostgreSQLError(
                    state: "22021",
                    message: "a text contains the character U+0000, which PostgreSQL cannot store"
                )
            }
        case .blob(let data):
            guard type == .bytea || type == .uuid && data.count == 16 else { throw mismatch("data", type) }
            data.withUnsafeBytes { bytes.append(contentsOf: $0) }
        case .typed(let value): try append(value, as: type, to: &bytes)
        }
    }

    private static func append(_ number: Int64, as type: PostgreSQLType, to bytes: inout [UInt8]) throws {
        switch type {
        case .int8: bytes.append(bigEndian: number)
        case .int4:
            guard let short = Int32(exactly: number) else { throw outOfRange(number, type) }
            bytes.append(bigEndian: short)
        case .int2:
            guard let short = Int16(exactly: number) else { throw outOfRange(number, type) }
            bytes.append(bigEndian: short)
        case .boolean: bytes.append(number == 0 ? 0 : 1)
        case .float8: bytes.append(bigEndian: Double(number).bitPattern)
        case .float4: bytes.append(bigEndian: Float(number).bitPattern)
        case .numeric: PostgreSQLNumeric.append(Decimal(number), to: &bytes)
        case .timestamptz, .timestamp: try append(time: Double(number), to: &bytes)
        default: throw mismatch("an integer", type)
        }
    }

    private static func append(_ number: Double, as type: PostgreSQLType, to bytes: inout [UInt8]) throws {
        switch type {
        case .float8: bytes.append(bigEndian: number.bitPattern)
        case .float4:
            let short = Float(number)
            guard short.isFinite || !number.isFinite else { throw outOfRange(number, type) }
            bytes.append(bigEndian: short.bitPattern)
        case .timestamptz, .timestamp: try append(time: number, to: &bytes)
        case .numeric:
            guard let decimal = Decimal(digitsOf: number) else { throw outOfRange(number, type) }
            PostgreSQLNumeric.append(decimal, to: &bytes)
        case .int8, .int4, .int2:
            guard let integer = Int64(exactly: number) else { throw outOfRange(number, type) }
            try append(integer, as: type, to: &bytes)
        default: throw mismatch("a number", type)
        }
    }

    private static func append(_ value: TypedValue, as type: PostgreSQLType, to bytes: inout [UInt8]) throws {
        switch value {
        case .boolean(let value): try append((value ? 1 : 0) as Int64, as: type, to: &bytes)
        case .decimal(let value):
            if type == .numeric {
                PostgreSQLNumeric.append(value, to: &bytes)
            } else if case .integer(let number) = value.storedNumber {
                try append(number, as: type, to: &bytes)
            } else {
                guard type == .float8 || type == .float4 else { throw mismatch("a decimal", type) }
                try append(value.nearestReal, as: type, to: &bytes)
            }
        case .time(let value): try append(value, as: type, to: &bytes)
        case .uuid(let value):
            switch type {
            case .uuid, .bytea: withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
            case .text, .varchar: bytes.append(contentsOf: value.uuidString.utf8)
            default: throw mismatch("a UUID", type)
            }
        case .list(let values, _):
            guard let element = type.element else { throw mismatch("a list", type) }
            try append(list: values, of: element, to: &bytes)
        }
    }

    /// Appends an array of one dimension: dimensions, whether there are NULLs, element type; count and first index;
    /// then each element with its length.
    private static func append(list: [SQLValue], of type: PostgreSQLType, to bytes: inout [UInt8]) throws {
        bytes.append(bigEndian: list.isEmpty ? 0 : 1 as Int32)
        bytes.append(bigEndian: (list.contains { $0 == .null } ? 1 : 0) as Int32)
        bytes.append(bigEndian: type.oid)
        if list.isEmpty { return }
        bytes.append(bigEndian: Int32(list.count))
        bytes.append(bigEndian: 1 as Int32)
        for value in list { try append(field: value, as: type, to: &bytes) }
    }

    /// Appends a value after its length; -1 is the length of NULL.
    static func append(field value: SQLValue, as type: PostgreSQLType, to bytes: inout [UInt8]) throws {
        if case .null = value { return bytes.append(bigEndian: -1 as Int32) }
        let start = bytes.count
        bytes.append(bigEndian: 0 as Int32)
        try append(value, as: type, to: &bytes)
        guard let length = Int32(exactly: bytes.count - start - 4) else { throw tooLong(bytes.count - start - 4) }
        withUnsafeBytes(of: length.bigEndian) { length in
            for place in 0..<4 { bytes[start + place] = length[place] }
        }
    }

    static func append(time seconds: Double, to bytes: inout [UInt8]) throws {
        guard let microseconds = PostgreSQLTime.microseconds(seconds) else { throw outOfRange(seconds, .timestamptz) }
        bytes.append(bigEndian: microseconds)
    }

    // MARK: Errors

    static func tooLong(_ length: Int) -> PostgreSQLError {
        PostgreSQLError(state: "54000", message: "a value has \(length) bytes; PostgreSQL accepts at most 1 GB")
    }

    private static func outOfRange(_ value: some CustomStringConvertible, _ type: PostgreSQLType) -> PostgreSQLError {
        PostgreSQLError(state: "22003", message: "the value \(value) is out of the range of \(type)")
    }

    private static func mismatch(_ value: String, _ type: PostgreSQLType) -> PostgreSQLError {
        PostgreSQLError(state: "42804", message: "\(value) cannot be sent as \(type)")
    }
}
