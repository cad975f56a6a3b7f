// Single cells as values. For results that are not whole rows; PostgreSQLResult+Batch decodes those.
import Foundation
import GraphArchives
import GraphEngine
import GraphSQL

extension PostgreSQLResult {
    /// A whole number or a Boolean value; nil for NULL.
    ///
    /// - Throws: `PostgreSQLError` if the column has another type, or a number is not whole.
    package func integer(_ column: Int, _ row: Int) throws -> Int64? {
        guard let bytes = bytes(column, row) else { return nil }
        guard let value = CellDecoder.integer(bytes, type(column)) else { throw mismatch(column, row, "an integer") }
        return value
    }

    /// A number, or a time as seconds since 2001; nil for NULL.
    ///
    /// - Throws: `PostgreSQLError` if the column has another type.
    package func real(_ column: Int, _ row: Int) throws -> Double? {
        guard let bytes = bytes(column, row) else { return nil }
        guard let value = CellDecoder.real(bytes, type(column)) else { throw mismatch(column, row, "a number") }
        return value
    }

    /// A Boolean value; nil for NULL.
    ///
    /// - Throws: `PostgreSQLError` if the column has another type.
    package func boolean(_ column: Int, _ row: Int) throws -> Bool? { try integer(column, row).map { $0 != 0 } }

    /// A text; nil for NULL.
    ///
    /// - Throws: `PostgreSQLError` if the column has a type without a text.
    package func string(_ column: Int, _ row: Int) throws -> String? {
        guard let bytes = bytes(column, row) else { return nil }
        guard let value = CellDecoder.string(bytes, type(column)) else { throw mismatch(column, row, "a text") }
        return value
    }

    /// The bytes of a cell, copied; nil for NULL.
    package func data(_ column: Int, _ row: Int) -> Data? { bytes(column, row).map { Data($0) } }

    /// A UUID; nil for NULL.
    ///
    /// - Throws: `PostgreSQLError` if the column has another type.
    package func uuid(_ column: Int, _ row: Int) throws -> UUID? {
        guard let bytes = bytes(column, row) else { return nil }
        guard let value = CellDecoder.uuid(bytes, type(column)) else { throw mismatch(column, row, "a UUID") }
        return value
    }

    /// An exact decimal; nil for NULL, NaN for a real number that is not a decimal, such as infinity.
    ///
    /// - Throws: `PostgreSQLError` if the column has another type.
    package func decimal(_ column: Int, _ row: Int) throws -> Decimal? {
        guard let bytes = bytes(column, row) else { return nil }
        if type(column) == .numeric, let number = PostgreSQLNumeric(bytes) { return number.decimal }
        if let integer = CellDecoder.integer(bytes, type(column)) { return Decimal(integer) }
        guard let real = CellDecoder.real(bytes, type(column)) else { throw mismatch(column, row, "a decimal") }
        return Decimal(digitsOf: real) ?? (abs(real) < 1 ? 0 : .nan)
    }

    /// A cell by the type of its column.
    ///
    /// - Throws: `PostgreSQLError` if the type has no such value.
    package func value(_ column: Int, _ row: Int) throws -> RowValue {
        guard let bytes = bytes(column, row) else { return .null }
        guard let value = CellDecoder.value(bytes, type(column)) else { throw mismatch(column, row, "a value") }
        return value
    }

    /// The elements of an array of one dimension; nil for NULL.
    ///
    /// - Throws: `PostgreSQLError` if the column has another type.
    package func list(_ column: Int, _ row: Int) throws -> [RowValue]? {
        guard let bytes = bytes(column, row) else { return nil }
        guard let values = CellDecoder.list(bytes) else { throw mismatch(column, row, "a list") }
        return values
    }

    /// A cell for the log of statements; a type without a value is shown by its bytes.
    func observedValue(_ column: Int, _ row: Int) -> SQLValue {
        guard let bytes = bytes(column, row) else { return .null }
        let type = type(column)
        if type == .timestamptz, let seconds = CellDecoder.real(bytes, type) { return .typed(.time(seconds)) }
        if type == .boolean { return .typed(.boolean(bytes.first != 0)) }
        switch CellDecoder.value(bytes, type) {
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .string(let text): return .text(text)
        case .uuid(let uuid): return .typed(.uuid(uuid))
        case .decimal(let decimal): return .typed(.decimal(decimal))
        default: return .blob(Data(bytes))
        }
    }
}
