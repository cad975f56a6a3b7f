// The forms of derived attributes. Parsed from the derivation's text by the schema, which translates some forms to
// triggers, and by the save, which computes the others.

/// The forms of a derivation.
package enum Derivation: Equatable, Sendable {
    /// The time of the save.
    case now
    /// A function of a text, such as `canonical`, of the value at a path.
    case function(String, [String])
    /// The number of objects of a to-many relationship.
    case count(String)
    /// A function, such as `sum`, over an attribute of the objects of a to-many relationship.
    case aggregate(String, relationship: String, attribute: String)
    /// The value at a path.
    case path([String])

    /// Parses a derivation; nil if it has another form.
    package init?(_ format: String) {
        let text = DerivationFormat.printed(format)
        if text == "now()" {
            self = .now
        } else if let open = text.firstIndex(of: "("), text.last == ")" {
            let name = String(text[..<open].filter { $0 != ":" })
            let path = text[text.index(after: open)...].dropLast().split(separator: ".").map(String.init)
            guard !path.isEmpty, path.allSatisfy({ !$0.contains("(") }) else { return nil }
            switch name {
            case "count" where path.count == 1: self = .count(path[0])
            case "sum", "min", "max", "average":
                guard path.count == 2 else { return nil }
                self = .aggregate(name, relationship: path[0], attribute: path[1])
            default: self = .function(name, path)
            }
        } else {
            let path = text.split(separator: ".").map(String.init)
            guard !path.isEmpty, path.allSatisfy({ $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }) else {
                return nil
            }
            self = .path(path)
        }
    }

    /// Whether the value depends on the object's own values only.
    package var isOfTheObjectAlone: Bool {
        switch self {
        case .path(let path), .function(_, let path): path.count == 1
        case .count, .aggregate, .now: false
        }
    }

    /// The path to a distant value that no trigger can follow: the store updates it with every save that affects it.
    package var followedPath: [String]? {
        switch self {
        // Other programs do not have our SQL functions for texts.
        case .function(_, let path) where path.count > 1: path
        case .path(let path) where path.count > 2: path
        default: nil
        }
    }
}
