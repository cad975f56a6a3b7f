// The forms in which columns store values, and constants are bound beside them.
import Foundation
import GraphArchives

/// The form in which values of a kind are stored.
package enum StorageClass: Hashable, Sendable {
    case number
    /// Numbers of databases that have several types of them.
    case boolean, integer, real, decimal
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
            Int64(value).map(SQLValue.integer)
                // SQLite would read NaN as NULL.
                ?? Double(value).flatMap { $0.isNaN ? nil : SQLValue.real($0) } ?? .text(value)
        case (.boolean, .boolean(let value)): index.schema.dialect.typed(.boolean(value))
        case (.boolean, .integer(let value)):
            value == 0 || value == 1 ? index.schema.dialect.typed(.boolean(value == 1)) : .null
        case (.integer, .boolean(let value)): .integer(value ? 1 : 0)
        case (.integer, .integer(let value)): .integer(value)
        case (.real, _): constant.double.map(SQLValue.real) ?? .null
        case (.decimal, _): constant.decimal.map { index.schema.dialect.typed(.decimal($0)) } ?? .null
        case (.date, .date(let value)): index.schema.dialect.typed(.time(value))
        case (.text, .text(let value)), (.text, .url(let value)): .text(value)
        case (.text, .boolean(let value)): .text(value ? "1" : "0")
        case (.text, .integer(let value)): .text(String(value))
        case (.text, .real(let value)): .text(String(value))
        case (.text, .decimal(let value)): .text(value.description)
        case (.uuid, .uuid(let value)): index.schema.dialect.typed(.uuid(value))
        case (.uuid, .text(let value)):
            index.schema.dialect.typed(.uuid(UUID(uuidString: value) ?? Binding.foreignUUID))
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

extension StorageClass {
    /// The class in which values of both classes are stored.
    func joined(with other: StorageClass?) -> StorageClass {
        guard let other, other != self else { return self }
        switch (self, other) {
        case (.boolean, .integer): return .integer
        case (.boolean, .decimal), (.integer, .decimal), (.boolean, .real), (.integer, .real): return other
        default: return self
        }
    }

    /// The kind of values that are bound so; nil if it is that of the other side.
    var numberKind: ValueKind? {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .decimal: .decimal
        default: nil
        }
    }
}

extension Constant {
    /// The number nearest to it; a text that is not a number comes after all numbers.
    fileprivate var double: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .real(let value): value
        case .decimal(let value): Double(value.description)
        case .text(let value): Double(value) ?? .nan
        default: nil
        }
    }

    /// The same number as a decimal; a text that is not a number comes after all numbers.
    fileprivate var decimal: Decimal? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Decimal(value)
        case .real(let value): Int64(exactly: value).map { Decimal($0) } ?? Constant.decimal(value)
        case .decimal(let value): value
        case .text(let value):
            Int64(value).map { Decimal($0) } ?? Double(value).flatMap { Constant.decimal($0) } ?? .nan
        default: nil
        }
    }

    /// A real number by its shortest digits, as the evaluator compares it with decimals.
    ///
    /// A number beyond the range of decimals becomes the decimal of its sign with the greatest or the least magnitude.
    private static func decimal(_ value: Double) -> Decimal? {
        if value.isNaN { return nil }
        if let decimal = Decimal(digitsOf: value) { return decimal }
        let size = value.magnitude > 1 ? Decimal.greatestFiniteMagnitude : Decimal.leastNonzeroMagnitude
        return value < 0 ? -size : size
    }
}
