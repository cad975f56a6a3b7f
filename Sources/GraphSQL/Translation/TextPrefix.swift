// Turns "begins with" into a range of texts in byte order, so that an index can serve it.
import Foundation

enum TextPrefix {
    /// The smallest value above every text with this prefix, in SQLite's BINARY order.
    ///
    /// UTF-8 keeps the order of scalars: the last scalar that has a successor is raised, what follows is dropped.
    /// Where there is none, an empty blob, which sorts after all text.
    static func end(of prefix: String) -> SQLValue {
        // Nothing begins with the empty text: its range is empty.
        if prefix.isEmpty { return .text("") }
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            guard let next = successor(of: last) else { continue }
            scalars.append(next)
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return .text(text)
        }
        return .blob(Data())
    }

    private static func successor(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        // Surrogates are no scalars: U+D7FF is followed by U+E000.
        scalar.value == 0xD7FF ? Unicode.Scalar(0xE000) : Unicode.Scalar(scalar.value + 1)
    }
}
