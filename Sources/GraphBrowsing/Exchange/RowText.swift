// Prints rows as JSON or CSV. Used by exports; values only.
import Foundation
import GraphArchives
import ManagedGraphTools

/// A text of rows in one of the formats.
struct RowText {
    private let form: ExportForm
    private let names: [String]
    private var bytes: [UInt8] = []
    private var hasBegun = false
    /// Whether no row has been printed.
    var isFirst = true

    init(_ form: ExportForm, _ names: [String]) { (self.form, self.names) = (form, names) }

    /// The text before all rows; empty after the first call.
    mutating func beginning() -> [UInt8] {
        guard !hasBegun else { return [] }
        hasBegun = true
        if form == .json { return Array("[".utf8) }
        var line: [UInt8] = []
        for (place, name) in (["id"] + names).enumerated() {
            if place > 0 { line.append(UInt8(ascii: ",")) }
            FieldValue.appendCSV(name, to: &line)
        }
        return line + Array("\n".utf8)
    }

    /// The text after all rows.
    func ending() -> [UInt8] { form == .json ? Array("\n]\n".utf8) : [] }

    mutating func append(_ row: BrowsedRow, _ columns: [PropertySummary], _ data: [String: Data]) {
        let values = zip(columns, row.cells).map { Self.value($1, data[$0.name]) }
        if form == .csv {
            FieldValue.appendCSV(row.id, to: &bytes)
            for value in values {
                bytes.append(UInt8(ascii: ","))
                value.appendCSV(to: &bytes)
            }
            bytes.append(UInt8(ascii: "\n"))
        } else {
            bytes += (isFirst ? "\n{\"id\":" : ",\n{\"id\":").utf8
            JSONWriter.append(row.id, to: &bytes)
            for (name, value) in zip(names, values) {
                bytes.append(UInt8(ascii: ","))
                JSONWriter.append(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                value.appendJSON(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
        isFirst = false
    }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private static func value(_ cell: BrowserCell, _ data: Data?) -> FieldValue {
        let text = cell.text ?? ""
        switch cell.kind {
        case .null, .absent: return .null
        case .number: return Int64(text).map(FieldValue.integer) ?? Double(text).map(FieldValue.real) ?? .text(text)
        case .boolean: return .boolean(text == "true")
        case .toMany: return .integer(Int64(cell.count ?? 0))
        case .toOne: return .reference(cell.object?.id ?? "")
        case .binary: return data.map(FieldValue.data) ?? .null
        default: return .text(text)
        }
    }
}
