// Conversion of single cells to row values. Called for results that are not whole rows.
import Foundation
import GraphEngine
import GraphModel

extension RowValue {
    /// Reads a cell as a value of an attribute type; nil for NULL.
    package init?(_ cell: SQLValue, type: AttributeType) {
        switch (type, cell) {
        case (_, .null): return nil
        case (_, .typed(let value)): self.init(value.plain, type: type)
        case (.integer16, .integer(let value)), (.integer32, .integer(let value)), (.integer64, .integer(let value)),
            (.boolean, .integer(let value)):
            self = .integer(value)
        case (.double, .real(let value)), (.float, .real(let value)), (.date, .real(let value)):
            self = .real(value)
        case (.double, .integer(let value)), (.float, .integer(let value)), (.date, .integer(let value)):
            self = .real(Double(value))
        case (.integer16, .real(let value)), (.integer32, .real(let value)), (.integer64, .real(let value)):
            self = .real(value)
        case (.decimal, .integer(let value)): self = .decimal(Decimal(value))
        case (.decimal, .real(let value)):
            // Format as SQLite does, because objects read such values as text. A number beyond the range of decimals stays
            // real: Foundation stops the program if it converts one.
            guard value.isFinite, let decimal = Decimal(string: String(format: "%.15g", value)) else {
                self = .real(value)
                return
            }
            self = .decimal(decimal)
        case (.decimal, .text(let value)):
            guard let decimal = Decimal(string: value) else { return nil }
            self = .decimal(decimal)
        case (.uri, .text(let value)):
            guard let url = URL(string: value) else { return nil }
            self = .url(url)
        case (.uuid, .blob(let value)) where value.count == 16:
            self = .uuid(UUID(uuid: value.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        case (_, .text(let value)): self = .string(value)
        case (_, .blob(let value)): self = .data(value)
        case (_, .integer(let value)): self = .integer(value)
        case (_, .real(let value)): self = .real(value)
        }
    }

    /// Reads a cell without an attribute type.
    package init(_ cell: SQLValue) {
        switch cell {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .string(text)
        case .blob(let data): self = .data(data)
        case .typed(let value): self.init(value.plain)
        }
    }
}

extension SQLValue {
    /// Converts a row value to a cell.
    package init(_ value: RowValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .data(let data): self = .blob(data)
        case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .url(let url): self = .text(url.absoluteString)
        case .decimal(let decimal): self = .text(decimal.description)
        case .key(let key): self = .integer(key.primaryKey)
        }
    }
}
