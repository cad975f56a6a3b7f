// The forms in which columns store values, and constants are bound beside them.
import Foundation

/// How values of a kind are stored.
package enum StorageClass: Hashable, Sendable {
    case number
    case date
    case text
    case uuid
    case data
    /// Keys of the rows of one table.
    case object(table: Int)
    case entity
}

extension StorageClass {
    /// The constant as this class stores it; null if no stored value can equal it.
    func value(of constant: Constant, index: SchemaIndex) -> SQLValue {
        switch (self, constant) {
        case (.number, .boolean(let value)): .integer(value ? 1 : 0)
        case (.number, .integer(let value)): .integer(value)
        case (.number, .real(let value)): .real(value)
        case (.number, .decimal(let value)): value.storedNumber
        case (.number, .text(let value)):
            Int64(value).map(SQLValue.integer) ?? Double(value).map(SQLValue.real) ?? .text(value)
        case (.date, .date(let value)): .real(value)
        case (.text, .text(let value)), (.text, .url(let value)): .text(value)
        case (.text, .boolean(let value)): .text(value ? "1" : "0")
        case (.text, .integer(let value)): .text(String(value))
        case (.text, .real(let value)): .text(String(value))
        case (.text, .decimal(let value)): .text(value.description)
        case (.uuid, .uuid(let value)): .blob(value.storedBytes)
        case (.data, .data(let value)): .blob(value)
        case (.object(let table), .object(let reference)):
            reference.isTemporary || index.table(ofEntity: reference.entityNumber) != table
                ? Binding.noKey : .integer(reference.primaryKey)
        case (.object, _): Binding.noKey
        case (.entity, .entity(let name)), (.entity, .text(let name)):
            .integer(index.schema.entities[name]?.number ?? -1)
        default: .null
        }
    }
}
