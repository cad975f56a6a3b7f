// The place of an argument in a cached tree. Created by PredicateParser, filled by FormatTrees.

/// Represents an argument in the tree of a format.
struct FormatHole: Sendable {
    let index: Int
    /// Whether the specifier converts an integer to a real number, as `%f` does.
    let isReal: Bool

    /// The argument's value.
    func value(_ arguments: [Any?]) -> Any? {
        let value = FormatArguments.plain(arguments[index])
        return isReal ? (value as? any BinaryInteger).map { Double($0) } ?? value : value
    }
}
