// The rows of the other tables, made from a position: items with an indexed key, people with names, employees.

/// The values of an item, which is found by its key.
struct ItemRow {
    var key: Int64
    var text: String
    var amount: Double

    init(_ index: Int) {
        key = Self.key(index)
        text = "item number " + String(10_000_000 + index).suffix(7)
        amount = Double(index) * 0.5
    }

    /// The key of a row: scattered, so that neighbours in the table are none in the index, and unique.
    static func key(_ index: Int) -> Int64 { Int64((UInt64(index) &* 0x9e37_79b9_7f4a_7c15) >> 24) }
}

/// The values of a person.
struct PersonRow {
    var name: String
    /// One of a thousand.
    var group: String
    var number: Int64

    init(_ index: Int, hasLongName: Bool = false) {
        let count = Self.parts.count
        // Steps that have no factor in common with the number of names mix the people.
        let mixed = index &* 48_271 % (count * count * count)
        name = "\(Self.parts[mixed % count]) \(Self.parts[mixed / count % count]) \(Self.parts[mixed / count / count])"
        if hasLongName { name = String(repeating: "0123456789abcdef", count: 600) }
        group = "group " + String(1_000_000 + index &* 7919 % 1000).suffix(4)
        number = Int64(index)
    }

    /// Names with and without accents.
    ///
    /// Only "Marijo", "Thomas", "Emma" and "Imani" have the letters "ma", and none has
    /// them with an accent, so that a search that folds accents finds the same as SQLite's LIKE.
    private static let parts: [String] = [
        "Ada", "Béla", "Chloé", "Dirk", "Emma", "Fritz", "Gül", "Hanne", "Imani", "Jörg", "Kees", "Lotte", "Marijo",
        "Nils", "Otto", "Piet", "Quinn", "René", "Sören", "Thomas", "Ulla", "Vera", "Wout", "Xaver", "Yusuf", "Zoë",
        "Anders", "Britt", "Carl", "Doris", "Erik", "Freya", "Gerda", "Horst", "Ivo", "Judith", "Klaus", "Linnea",
        "Nora", "Odile", "Pelle", "Rosa", "Stig",
    ]
}

/// The values of an employee; a hundred work in each department.
struct EmployeeRow {
    var name: String
    var number: Int64
    var salary: Double
    var department: Int

    static let perDepartment = 100

    init(_ index: Int) {
        name = "employee " + String(10_000_000 + index).suffix(7)
        number = Int64(index)
        salary = Double(index % 977) * 10.5
        department = index / Self.perDepartment
    }
}
