// The printed form of a derivation expression, which a derived attribute's version hash covers. Called by
// VersionHashing and by code that archives models. Supports only the forms of derivations.

/// Converts derivation expressions to the form that Apple prints.
package enum DerivationFormat {
    /// A derivation in Apple's printed form.
    ///
    /// `articles.@count` as `count:(articles)`, `canonical(name)` as `canonical:(name)`; a key path and `now()` stay.
    ///
    /// - Parameter format: The derivation in a model.
    /// - Returns: The printed form, which also parses.
    package static func printed(_ format: String) -> String {
        let expression = format.filter { !$0.isWhitespace }
        if let open = expression.firstIndex(of: "("), expression.last == ")" {
            return printedCall(expression, open: open)
        }
        let steps = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard let position = steps.firstIndex(where: { $0.hasPrefix("@") }), position > 0 else { return expression }
        let function = steps[position].dropFirst()
        // `orders.@sum.amount` is the sum of `orders.amount`.
        let operand = (steps[..<position] + steps[(position + 1)...]).joined(separator: ".")
        return "\(function):(\(operand))"
    }

    private static func printedCall(_ call: String, open: String.Index) -> String {
        let name = call[..<open]
        let arguments = call[call.index(after: open)...].dropLast()
        if arguments.isEmpty { return call }
        let label = name.hasSuffix(":") ? String(name) : "\(name):"
        return "\(label)(\(printed(String(arguments))))"
    }
}
