// Turns "begins with" into a range of texts in byte order, so that an index can serve it.

enum TextPrefix {
    /// The smallest value above every text with this prefix, in the order of their bytes.
    ///
    /// UTF-8 keeps the order of scalars: the last scalar that has a successor is raised, the rest is dropped.
    /// - Returns: The text; nil if no text comes after all of them.
    static func end(of prefix: String) -> String? {
        // Nothing begins with the empty text: its range is empty.
        if prefix.isEmpty { return "" }
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            guard let next = successor(of: last) else { continue }
            scalars.append(next)
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return text
        }
        return nil
    }

    private static func successor(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // Surrogates are not scalars: U+D7FF is followed by U+E000.
        scalar.value == 0xD7FF ? Unicode.Scalar(0xE000) : Unicode.Scalar(scalar.value + 1)
    }
}
