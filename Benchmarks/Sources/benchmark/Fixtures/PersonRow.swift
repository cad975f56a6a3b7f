// The rows of the table of people, generated from a position.

/// The values of a person.
struct PersonRow {
    var name: String
    /// One of a thousand.
    var group: String
    var number: Int64

    init(_ index: Int, hasLongName: Bool = false) {
        let count = Self.parts.count
        // A step coprime to the number of names mixes the people.
        let mixed = index &* 48_271 % (count * count * count)
        name = "\(Self.parts[mixed % count]) \(Self.parts[mixed / count % count]) \(Self.parts[mixed / count / count])"
        if hasLongName { name = String(repeating: "0123456789abcdef", count: 600) }
        group = "group " + String(1_000_000 + index &* 7919 % 1000).suffix(4)
        number = Int64(index)
    }

    /// Names with and without accents.
    ///
    /// Only "Marijo", "Thomas", "Emma" and "Imani" contain the letters "ma", and no name contains them with an accent,
    /// so that a search that folds accents matches the same names as SQLite's LIKE.
    private static let parts: [String] = [
        "Ada", "Béla", "Chloé", "Dirk", "Emma", "Fritz", "Gül", "Hanne", "Imani", "Jörg", "Kees", "Lotte", "Marijo",
        "Nils", "Otto", "Piet", "Quinn", "René", "Sören", "Thomas", "Ulla", "Vera", "Wout", "Xaver", "Yusuf", "Zoë",
        "Anders", "Britt", "Carl", "Doris", "Erik", "Freya", "Gerda", "Horst", "Ivo", "Judith", "Klaus", "Linnea",
        "Nora", "Odile", "Pelle", "Rosa", "Stig",
    ]
}
