// The arguments of a format in their order, taken by the lexer as it meets `%@`, `%K` and the number
// specifiers. Arguments are Swift values; no C argument list is involved.

import Foundation

struct FormatArguments {
    private let values: [Any?]
    private var next = 0

    init(_ values: [Any?]) {
        self.values = values
    }

    /// Arguments that were taken so far, or that have to be there for those at positions.
    private(set) var needed = 0

    /// The index of the next argument, or of the one at `position` counted from 1; nil when there is none.
    mutating func take(position: Int?) -> Int? {
        let index = position.map { $0 - 1 } ?? next
        if position == nil { next += 1 }
        guard values.indices.contains(index) else { return nil }
        needed = max(needed, index + 1)
        return index
    }

    /// The argument with an index.
    subscript(index: Int) -> Any? { FormatArguments.plain(values[index]) }

    var count: Int { values.count }

    /// A value without nested optionals, with nil for NSNull.
    static func plain(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if value is NSNull { return nil }
        if let optional = value as? any OptionalValue { return plain(optional.wrappedValue) }
        return value
    }
}

/// Finds the nil that hides in an `Any`.
protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    var wrappedValue: Any? { map { $0 as Any } }
}
