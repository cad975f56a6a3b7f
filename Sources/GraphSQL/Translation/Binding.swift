// The value of a mark in a translated statement: a fixed value, or a constant of the fetch in the form that the
// other side of its comparison is stored in. Kept with the text by the cache, filled for every fetch.
import Foundation

/// The value of one mark.
enum Binding: Hashable, Sendable {
    case fixed(SQLValue)
    case hole(Int, BindingForm)
    case limit
    case offset
}

/// How a constant is written for the column it meets.
enum BindingForm: Hashable, Sendable {
    case value(StorageClass)
    /// The smallest value that sorts after every text that begins with the constant.
    case prefixEnd
    /// One element of a constant collection; past its end, the last one.
    case element(Int, StorageClass)
    /// A constant collection as one value.
    case list(StorageClass)
}

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

extension Binding {
    /// The key bound for an object that has no row; no row has it.
    static let noKey = SQLValue.integer(-1)

    func value(_ constants: [Constant], plan: FetchPlan, index: SchemaIndex) throws -> SQLValue {
        switch self {
        case .fixed(let value): return value
        case .limit: return .integer(Int64(plan.limit))
        case .offset: return .integer(Int64(max(plan.offset, 0)))
        case .hole(let hole, let form):
            let constant = constants[hole]
            switch form {
            case .value(let storage): return storage.value(of: constant, index: index)
            case .prefixEnd:
                guard case .text(let text) = storageText(constant) else { return .null }
                return TextPrefix.end(of: text).map(SQLValue.text) ?? index.schema.dialect.valueAfterAllTexts
            case .element(let place, let storage):
                guard case .list(let list) = constant, let last = list.elements.last else { return .null }
                return storage.value(of: place < list.elements.count ? list.elements[place] : last, index: index)
            case .list(let storage):
                guard case .list(let list) = constant else { return .null }
                let values = list.elements.map { storage.value(of: $0, index: index) }
                return index.schema.dialect.list(values, of: storage)
            }
        }
    }

    private func storageText(_ constant: Constant) -> SQLValue {
        switch constant {
        case .text(let text), .url(let text): .text(text)
        default: .null
        }
    }
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

extension Decimal {
    /// The number as a column stores it: whole numbers of 64 bits are exact; NULL for other values.
    package var storedNumber: SQLValue {
        let text = description
        return Int64(text).map(SQLValue.integer) ?? (isNaN ? nil : Double(text)).map(SQLValue.real) ?? .null
    }
}

extension UUID {
    /// The 16 bytes in the order of the text form.
    var storedBytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
