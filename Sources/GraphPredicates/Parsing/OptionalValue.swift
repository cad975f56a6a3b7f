// The arguments of a format in order; the lexer takes one for each `%@`, `%K` and number specifier. Beside
// `FormatArguments`.
import Foundation

/// Reveals a nil inside an `Any`.
protocol OptionalValue {
    var wrappedValue: Any? { get }
}
