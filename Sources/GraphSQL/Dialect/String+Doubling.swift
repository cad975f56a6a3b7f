// Escapes signs in literals and names. Called by dialects, and by other code that writes SQL.

extension String {
    /// The text with each sign doubled.
    ///
    /// Goes by scalars: a quote before a combining mark forms one character with it, and ends a literal all the same.
    package func doubling(_ sign: Unicode.Scalar) -> String {
        guard unicodeScalars.contains(sign) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == sign { result.append(scalar) }
            result.append(scalar)
        }
        return String(result)
    }

    /// The text as a name in SQL, in quotes, as names that other programs gave may be keywords or have any characters.
    package var quotedName: String { "\"" + doubling("\"") + "\"" }
}
