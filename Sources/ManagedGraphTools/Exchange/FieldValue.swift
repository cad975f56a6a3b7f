// A property's value on its way to a text, and the three formats it takes: JSON, CSV and a table cell. Created by
// RecordReader; printed by commands and exports. It does not depend on rows.
import Foundation
import GraphArchives
import ManagedGraph

/// A value of a row in text form.
package enum FieldValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Printed with only as many digits as a Float has.
    case float(Float)
    case text(String)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    /// All digits.
    case decimal(String)
    case data(Data)
    /// The name of a related object.
    case reference(String)
    case references([String])

    /// Appends the value as JSON.
    ///
    /// Decimals, which many JSON readers would round, are written as strings, as are numbers that JSON cannot
    /// represent.
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

    /// The text for a number that is not finite.
    private static func name(_ value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }

    /// The value as text; nil if there is none.
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

    /// The value for display in a table; data are shown by size.
    package var tableText: String {
        if case .data(let data) = self { return "\(data.count) bytes" }
        return text ?? ""
    }

    /// Appends the value as a CSV field: nothing for a missing value, quotation marks for an empty text.
    package func appendCSV(to bytes: inout [UInt8]) {
        guard let text else { return }
        // An empty list of related objects is a missing value.
        if text.isEmpty, case .references = self { return }
        Self.appendCSV(text, to: &bytes)
    }

    /// Appends a text as a CSV field, quoted if necessary.
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
