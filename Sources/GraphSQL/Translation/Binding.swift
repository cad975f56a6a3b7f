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
