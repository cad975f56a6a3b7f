// Long constant lists travel as one JSON text, which has no limit on its elements, and are read back by json_each.
import GraphArchives

enum JSONList {
    /// Gives the real number of a text with its mark and its bits, and other elements as they are.
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

    /// Begins the text of a real number.
    private static let realMark = "~"

    /// Reals as a mark and the integer of their bits, bytes as hexadecimal digits: both come back exactly.
    static func text(_ values: [SQLValue], _ storage: StorageClass) -> String {
        var bytes: [UInt8] = []
        JSONWriter.appendList(values, to: &bytes) { value, bytes in
            switch value {
            case .null, .typed: bytes += "null".utf8
            case .integer(let value): bytes += String(value).utf8
            case .real(let value):
                JSONWriter.append("\(realMark)\(Int64(bitPattern: value.bitPattern))", to: &bytes)
            case .text(let value):
                // Beside numbers all texts are alike, and none may be taken for a real number.
                let isMarked = storage == .number && value.hasPrefix(realMark)
                JSONWriter.append(isMarked ? realMark : value, to: &bytes)
            case .blob(let value): JSONWriter.append(value.map(hexadecimal).joined(), to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The real number of an element with the mark; other elements as they are.
    static func element(_ value: SQLValue) -> SQLValue {
        guard case .text(let text) = value, text.hasPrefix(realMark), let bits = Int64(text.dropFirst()) else {
            return value
        }
        return .real(Double(bitPattern: UInt64(bitPattern: bits)))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
