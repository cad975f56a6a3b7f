// The arguments of a format in order; the lexer takes one for each `%@`, `%K` and number specifier. Arguments are Swift
// values, without a C argument list.

import Foundation

struct FormatArguments {
    private let values: [Any?]
    private var next = 0

    init(_ values: [Any?]) {
        self.values = values
    }

    /// The number of arguments that the specifiers read so far require.
    private(set) var needed = 0

    /// The index of the next argument, or of the one at `position` counted from 1; nil if there is none.
    mutating func take(position: Int?) -> Int? {
        let index = position.map { $0 - 1 } ?? next
        if position == nil { next += 1 }
        guard values.indices.contains(index) else { return nil }
        needed = max(needed, index + 1)
        return index
    }

    /// The argument at an index.
    subscript(index: Int) -> Any? { FormatArguments.plain(values[index]) }

    var count: Int { values.count }

    /// A value without nested optionals, and nil for NSNull.
    static func plain(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if PlainValue.isPlain(value) { return value }
        if value is NSNull { return nil }
        if let optional = value as? any OptionalValue { return plain(optional.wrappedValue) }
        return value
    }
}

extension Optional: OptionalValue {
    var wrappedValue: Any? { map { $0 as Any } }
}
