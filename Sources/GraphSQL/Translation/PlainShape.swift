// The forms of constants that attributes may have as values.

/// The form of a constant that is one value of an attribute; raw values are the letters of the cache's key.
enum PlainShape: String, Sendable {
    case boolean = "b"
    case integer = "i"
    case real = "r"
    case decimal = "m"
    case date = "d"
    case text = "t"
    case url = "l"
    case uuid = "u"
    case data = "x"

    var kind: ValueKind {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .real: .real
        case .decimal: .decimal
        case .date: .date
        case .text: .text
        case .url: .url
        case .uuid: .uuid
        case .data: .data
        }
    }
}
