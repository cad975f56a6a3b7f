// A property's value on its way into a text, and the three forms it takes there: JSON, CSV and a table's cell. Made by
// RecordReader; printed by commands and exports. It knows nothing of rows.
import Foundation
import GraphArchives
import ManagedGraph

/// A value of a row, as texts have it.
package enum FieldValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Shorter than as a Double: as many digits as a Float has.
    case float(Float)
    case text(String)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    /// The digits, all of them.
    case decimal(String)
    case data(Data)
    /// A related object.
    case reference(String)
    case references([String])

    /// Appends the value as JSON.
    ///
    /// Decimals, which many readers of JSON would round, are texts, as are numbers that JSON does not have.
    package func appendJSON(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += "\(value)".utf8
        case .real(let value): Self.append(value, value.description, to: &bytes)
        case .float(let value): Self.append(Double(value), value.description, to: &bytes)
        case .text(let text), .reference(let text): JSONWriter.append(text, to: &bytes)
        case .date(let seconds):
            if let text = DateText.text(seconds) {
                JSONWriter.append(text, to: &bytes)
            } else {
                Self.append(seconds, seconds.description, to: &bytes)
            }
        case .decimal(let digits): JSONWriter.append(digits, to: &bytes)
        case .data(let data): JSONWriter.append(data.base64EncodedString(), to: &bytes)
        case .references(let texts): JSONWriter.appendList(texts, to: &bytes) { JSONWriter.append($0, to: &$1) }
        }
    }

    private static func append(_ value: Double, _ digits: String, to bytes: inout [UInt8]) {
        if value.isFinite { bytes += digits.utf8 } else { JSONWriter.append(name(value), to: &bytes) }
    }

    /// What stands for a number that is none.
    private static func name(_ value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }

    /// The value as text; nil where there is none.
    package var text: String? {
        switch self {
        case .null: nil
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .real(let value): value.isFinite ? value.description : Self.name(value)
        case .float(let value): value.isFinite ? value.description : Self.name(Double(value))
        case .text(let text), .reference(let text): text
        case .date(let seconds):
            DateText.text(seconds) ?? (seconds.isFinite ? seconds.description : Self.name(seconds))
        case .decimal(let digits): digits
        case .data(let data): data.base64EncodedString()
        case .references(let texts): texts.joined(separator: " ")
        }
    }

    /// The value as people read it in a table: data by their size.
    package var tableText: String {
        if case .data(let data) = self { return "\(data.count) bytes" }
        return text ?? ""
    }

    /// Appends the value as a field of CSV: nothing for no value, quotation marks around an empty text.
    package func appendCSV(to bytes: inout [UInt8]) {
        guard let text else { return }
        // No related object is no text.
        if text.isEmpty, case .references = self { return }
        Self.appendCSV(text, to: &bytes)
    }

    /// Appends a text as a field of CSV, between quotation marks where it needs them.
    package static func appendCSV(_ text: String, to bytes: inout [UInt8]) {
        let needsMarks =
            text.isEmpty || text.utf8.first == 0x20 || text.utf8.last == 0x20
            || text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard needsMarks else {
            bytes += text.utf8
            return
        }
        bytes.append(0x22)
        for byte in text.utf8 {
            if byte == 0x22 { bytes.append(0x22) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}
