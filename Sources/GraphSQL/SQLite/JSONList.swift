// Long constant lists travel as one JSON text, which has no limit on its elements, and are read back by json_each.
import GraphArchives

enum JSONList {
    /// Gives the real number of an integer's bits.
    static let realFunction: StaticString = "MGReal"
    /// Gives the bytes of hexadecimal digits.
    static let dataFunction: StaticString = "MGData"

    /// The expression that reads one element back from json_each.
    static func reader(_ elements: ListElements, _ value: SQLFragment) -> SQLFragment {
        switch elements.storage {
        case .number, .boolean, .integer, .real, .decimal, .date:
            elements.hasReals ? "\(literal: realFunction)(\(value))" : value
        case .text, .object, .entity: value
        case .uuid, .data: "\(literal: dataFunction)(\(value))"
        }
    }

    /// Reals as the integer of their bits and bytes as hexadecimal digits: both come back exactly.
    static func text(_ values: [SQLValue], _ storage: StorageClass) -> String {
        let hasReals = values.contains { if case .real = $0 { true } else { false } }
        var bytes: [UInt8] = []
        JSONWriter.appendList(values, to: &bytes) { value, bytes in
            switch value {
            case .null, .typed: bytes += "null".utf8
            case .integer(let value): bytes += (hasReals ? bits(Double(value)) : String(value)).utf8
            case .real(let value): bytes += bits(value).utf8
            case .text(let value): JSONWriter.append(value, to: &bytes)
            case .blob(let value): JSONWriter.append(value.map(hexadecimal).joined(), to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func bits(_ value: Double) -> String {
        String(Int64(bitPattern: value.bitPattern))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
