// Long constant lists travel as one JSON text, which has no limit on its elements, and are read back by json_each.

enum JSONList {
    /// Gives the real number of an integer's bits.
    static let realFunction: StaticString = "MGReal"
    /// Gives the bytes of hexadecimal digits.
    static let dataFunction: StaticString = "MGData"

    /// What reads one element back from json_each.
    static func reader(_ elements: ListElements, _ value: SQLFragment) -> SQLFragment {
        switch elements.storage {
        case .number, .date: elements.hasReals ? "\(literal: realFunction)(\(value))" : value
        case .text, .object, .entity: value
        case .uuid, .data: "\(literal: dataFunction)(\(value))"
        }
    }

    /// Reals as the integer of their bits and bytes as hexadecimal digits: both come back exactly.
    static func text(_ values: [SQLValue], _ storage: StorageClass) -> String {
        let hasReals = values.contains { if case .real = $0 { true } else { false } }
        var text = "["
        for (place, value) in values.enumerated() {
            if place > 0 { text += "," }
            switch value {
            case .null: text += "null"
            case .integer(let value): text += hasReals ? bits(Double(value)) : String(value)
            case .real(let value): text += bits(value)
            case .text(let value): quote(value, into: &text)
            case .blob(let value):
                text += "\""
                for byte in value { text += hexadecimal(byte) }
                text += "\""
            }
        }
        return text + "]"
    }

    private static func bits(_ value: Double) -> String {
        String(Int64(bitPattern: value.bitPattern))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }

    private static func quote(_ value: String, into text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20: text += "\\u00" + hexadecimal(UInt8(scalar.value))
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
