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
        let text = format.filter { !$0.isWhitespace }
        if let open = text.firstIndex(of: "("), text.last == ")" {
            return printedCall(text, open: open)
        }
        let steps = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let position = steps.firstIndex(where: { $0.hasPrefix("@") }), position > 0 else { return text }
        let function = steps[position].dropFirst()
        // `orders.@sum.amount` is the sum of `orders.amount`.
        let operand = (steps[..<position] + steps[(position + 1)...]).joined(separator: ".")
        return "\(function):(\(operand))"
    }

    private static func printedCall(_ text: String, open: String.Index) -> String {
        let name = text[..<open]
        let arguments = text[text.index(after: open)...].dropLast()
        if arguments.isEmpty { return text }
        let label = name.hasSuffix(":") ? String(name) : "\(name):"
        return "\(label)(\(printed(String(arguments))))"
    }
}
