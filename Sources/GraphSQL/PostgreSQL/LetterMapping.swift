// A mapping of letters for SQL's functions translate and replace.

/// A mapping of letters above ASCII.
struct LetterMapping: Sendable {
    /// The letters that are mapped to one scalar.
    private(set) var from = ""
    private(set) var to = ""
    /// The letters that are mapped to several scalars.
    private(set) var longer: [(letter: String, mapped: String)] = []

    mutating func add(_ letter: Unicode.Scalar, _ mapped: String) {
        let scalars = mapped.unicodeScalars
        if scalars.count == 1, let scalar = scalars.first {
            if scalar == letter { return }
            from.unicodeScalars.append(letter)
            to.unicodeScalars.append(scalar)
        } else {
            longer.append((String(letter), mapped))
        }
    }
}
