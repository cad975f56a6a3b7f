// A piece of SQL text with the values of its `?` marks, in order. Built by interpolation; a plain string can enter it
// only as a literal of a source, as an identifier or as another fragment, so no user's text is ever spliced.

/// SQL text and its bindings.
package struct SQLFragment: Hashable, Sendable, ExpressibleByStringInterpolation {
    package internal(set) var text: String
    var bindings: [Binding]

    init(text: String = "", bindings: [Binding] = []) {
        self.text = text
        self.bindings = bindings
    }

    /// SQL text that an engine has written.
    package init(raw sql: String) {
        self.init(text: sql)
    }

    package init(stringLiteral value: String) {
        self.init(text: value)
    }

    package init(stringInterpolation: Interpolation) {
        self = stringInterpolation.fragment
    }

    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        SQLFragment(text: left.text + right.text, bindings: left.bindings + right.bindings)
    }

    package static func += (left: inout SQLFragment, right: SQLFragment) {
        left.text += right.text
        left.bindings += right.bindings
    }

    /// A table's, column's or collation's name.
    static func identifier(_ name: String, _ dialect: any SQLDialect) -> SQLFragment {
        SQLFragment(text: dialect.identifier(name))
    }

    /// A table in a FROM clause.
    static func table(_ name: String, _ dialect: any SQLDialect) -> SQLFragment {
        SQLFragment(text: dialect.table(name))
    }

    /// A column of the table that an alias stands for; of the only table if the alias is empty.
    static func column(_ alias: String, _ name: String, _ dialect: any SQLDialect) -> SQLFragment {
        SQLFragment(text: (alias.isEmpty ? "" : alias + ".") + dialect.identifier(name))
    }

    static func bind(_ binding: Binding) -> SQLFragment {
        SQLFragment(text: "?", bindings: [binding])
    }

    /// The storage of an interpolated literal.
    package struct Interpolation: StringInterpolationProtocol {
        var fragment = SQLFragment()

        package init(literalCapacity: Int, interpolationCount: Int) {
            fragment.text.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        package mutating func appendLiteral(_ literal: String) {
            fragment.text += literal
        }

        package mutating func appendInterpolation(_ other: SQLFragment) {
            fragment += other
        }

        /// A number of the schema, such as an entity's, or of the program, such as an option.
        package mutating func appendInterpolation(number: Int64) {
            fragment.text += String(number)
        }

        /// Text written in a source: an operator or a function's name.
        package mutating func appendInterpolation(literal: StaticString) {
            fragment.text += literal.description
        }
    }
}

extension [SQLFragment] {
    package func joined(_ separator: StaticString) -> SQLFragment {
        var result = SQLFragment()
        for (place, fragment) in enumerated() {
            if place > 0 { result.text += separator.description }
            result += fragment
        }
        return result
    }
}
