// A piece of SQL text with what its `?` marks take, in order. Built by interpolation; a plain string can enter it
// only as a literal of this source, as an identifier or as another fragment, so no user's text is ever spliced.

/// SQL text and its bindings.
struct SQLFragment: Hashable, Sendable, ExpressibleByStringInterpolation {
    var text: String
    var bindings: [Binding]

    init(text: String = "", bindings: [Binding] = []) {
        self.text = text
        self.bindings = bindings
    }

    init(stringLiteral value: String) {
        self.init(text: value)
    }

    init(stringInterpolation: Interpolation) {
        self = stringInterpolation.fragment
    }

    static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        SQLFragment(text: left.text + right.text, bindings: left.bindings + right.bindings)
    }

    static func += (left: inout SQLFragment, right: SQLFragment) {
        left.text += right.text
        left.bindings += right.bindings
    }

    /// A table's, column's or alias's name, quoted only where SQL needs it.
    static func identifier(_ name: String) -> SQLFragment {
        let isPlain = name.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        return SQLFragment(
            text: isPlain
                ? name
                : "\""
                    + name.split(separator: "\"", omittingEmptySubsequences: false)
                    .joined(separator: "\"\"") + "\""
        )
    }

    static func column(_ alias: String, _ name: String) -> SQLFragment {
        "\(identifier(alias)).\(identifier(name))"
    }

    static func bind(_ binding: Binding) -> SQLFragment {
        SQLFragment(text: "?", bindings: [binding])
    }

    /// What `"…\(…)…"` builds.
    struct Interpolation: StringInterpolationProtocol {
        var fragment = SQLFragment()

        init(literalCapacity: Int, interpolationCount: Int) {
            fragment.text.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        mutating func appendLiteral(_ literal: String) {
            fragment.text += literal
        }

        mutating func appendInterpolation(_ other: SQLFragment) {
            fragment += other
        }

        /// A number of the schema, such as an entity's, or of the program, such as an option.
        mutating func appendInterpolation(number: Int64) {
            fragment.text += String(number)
        }

        /// Text written in this source: an operator or a function's name.
        mutating func appendInterpolation(literal: StaticString) {
            fragment.text += literal.description
        }
    }
}

extension [SQLFragment] {
    func joined(_ separator: StaticString) -> SQLFragment {
        var result = SQLFragment()
        for (place, fragment) in enumerated() {
            if place > 0 { result.text += separator.description }
            result += fragment
        }
        return result
    }
}
