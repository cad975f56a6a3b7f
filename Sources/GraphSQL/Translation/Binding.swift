// The value of a mark in a translated statement: a fixed value, or a constant of the fetch in the form that the
// other side of its comparison is stored in. Kept with the text by the cache, filled for every fetch.
import Foundation
import GraphEngine
import GraphPredicates

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
    /// The UUID bound for a text that spells none; made at random, so that no row has it.
    static let foreignUUID = UUID()

    func value(
        _ constants: [Constant],
        entity: String,
        limit: Int,
        offset: Int,
        index: SchemaIndex
    ) throws -> SQLValue {
        switch self {
        case .fixed(let value): return value
        case .limit: return .integer(Int64(limit))
        case .offset: return .integer(Int64(max(offset, 0)))
        case .hole(let hole, let form):
            let constant = constants[hole]
            switch form {
            case .value(let storage): return storage.value(of: constant, index: index)
            case .folded(let options):
                return text(of: constant, index).map { .text(TextFolding.fold($0, options)) } ?? .null
            case .pattern(let comparison, let options):
                guard let text = text(of: constant, index) else { return .null }
                let dialect = index.schema.dialect
                let folding = options.intersection(comparison == .matches ? .diacriticInsensitive : .folding)
                let folded = TextFolding.fold(text, folding)
                guard let value = dialect.pattern(folded, of: comparison, options.subtracting(folding)) else {
                    throw TranslationError(
                        kind: .needsMemory,
                        entity: entity,
                        expression: text,
                        reason: "\(dialect.name) has no pattern that admits the same texts",
                        remedy: "Filter the fetched objects in memory"
                    )
                }
                return value
            case .prefixEnd(let options):
                guard let text = text(of: constant, index) else { return .null }
                return TextPrefix.end(of: TextFolding.fold(text, options)).map(SQLValue.text)
                    ?? index.schema.dialect.valueAfterAllTexts
            case .element(let place, let storage):
                guard case .list(let list) = constant, let last = list.elements.last else { return .null }
                return storage.value(of: place < list.elements.count ? list.elements[place] : last, index: index)
            case .list(let storage):
                guard case .list(let list) = constant else { return .null }
                let values = list.elements.map { storage.value(of: $0, index: index) }
                return index.schema.dialect.list(values, of: storage)
            case .foldedList(let options):
                guard case .list(let list) = constant else { return .null }
                let values = list.elements.map { element in
                    text(of: element, index).map { SQLValue.text(TextFolding.fold($0, options)) } ?? .null
                }
                return index.schema.dialect.list(values, of: .text)
            }
        }
    }

    /// A constant as a column of texts stores it.
    private func text(of constant: Constant, _ index: SchemaIndex) -> String? {
        if case .text(let text) = StorageClass.text.value(of: constant, index: index) { text } else { nil }
    }
}

extension Decimal {
    /// The number as a column stores it: whole numbers of 64 bits are exact; NULL for other values.
    package var storedNumber: SQLValue {
        let digits = description
        return Int64(digits).map(SQLValue.integer) ?? (isNaN ? nil : Double(digits)).map(SQLValue.real) ?? .null
    }
}

extension UUID {
    /// The 16 bytes in the order of the text form.
    var storedBytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
