// Row values in the types of PostgreSQL's columns. Called by the writer for parameters.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQL

extension RowValue {
    /// Whether it is NaN, which is stored as NULL: PostgreSQL's NaN equals itself and sorts above all numbers.
    var isNotANumber: Bool {
        switch self {
        case .real(let number): number.isNaN
        case .decimal(let number): number.isNaN
        default: false
        }
    }
}

extension TypedValue.ElementType {
    /// The elements that an attribute's column is written with.
    init(_ type: AttributeType) {
        self =
            switch type {
            case .integer16, .integer32, .integer64, .undefined, .objectID, .composite: .integer
            case .boolean: .boolean
            case .double, .float: .real
            case .decimal: .decimal
            case .date: .time
            case .string, .uri: .text
            case .uuid: .uuid
            case .binary, .transformable: .data
            }
    }

    /// A row's value as an element.
    func value(_ value: RowValue) -> SQLValue {
        switch (self, value) {
        case (_, .null): .null
        case (_, .real) where value.isNotANumber, (_, .decimal) where value.isNotANumber: .null
        case (.boolean, .integer(let number)): .typed(.boolean(number != 0))
        case (.time, .real(let seconds)): .typed(.time(seconds))
        case (.time, .integer(let seconds)): .typed(.time(Double(seconds)))
        case (.decimal, .decimal(let number)): .typed(.decimal(number))
        case (.decimal, .integer(let number)): .typed(.decimal(Decimal(number)))
        case (.decimal, .real(let number)):
            Decimal(digitsOf: number).map { SQLValue.typed(.decimal($0)) } ?? .real(number)
        case (.real, .integer(let number)): .real(Double(number))
        case (.integer, .real(let number)): Int64(exactly: number).map(SQLValue.integer) ?? .real(number)
        case (_, .uuid(let uuid)): .typed(.uuid(uuid))
        case (_, .integer(let number)): .integer(number)
        case (_, .real(let number)): .real(number)
        case (_, .string(let text)): .text(text)
        case (_, .url(let url)): .text(url.absoluteString)
        case (_, .data(let data)): .blob(data)
        case (_, .decimal(let number)): .typed(.decimal(number))
        case (_, .key(let key)): .integer(key.primaryKey)
        }
    }

    /// The value that a column has after a value was written to it.
    func stored(_ value: RowValue) -> RowValue {
        if value.isNotANumber { return .null }
        guard self == .time, case .real(let seconds) = value else { return value }
        // Rounded to microseconds; a time out of range is an error of the statement.
        return PostgreSQLTime.microseconds(seconds).map { RowValue.real(PostgreSQLTime.seconds($0)) } ?? value
    }
}

extension PostgreSQLType {
    /// The type of an attribute's column.
    init(_ type: AttributeType) {
        self =
            switch type {
            case .integer16: .int2
            case .integer32: .int4
            case .float: .float4
            default: PostgreSQLType(TypedValue.ElementType(type))
            }
    }
}

extension SQLValue {
    /// A value as it was read, with its type.
    init(typed value: RowValue) {
        switch value {
        case .uuid(let uuid): self = .typed(.uuid(uuid))
        case .decimal(let decimal): self = .typed(.decimal(decimal))
        default: self.init(value)
        }
    }
}
