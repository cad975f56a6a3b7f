// The order of a table's columns: by group of types, then by entity, then by name. Apple's rule, found in its stores
// (Documentation/FileFormats.md). Called by SchemaLayout only.
import GraphModel

/// The position of a column in its table; a smaller one comes first.
enum ColumnGroup: Int, Comparable {
    /// Integers, booleans, then keys of other tables: one run of each entity.
    case integer
    /// Doubles, floats and dates, mixed by name.
    case real
    case decimal
    case text
    case uri
    case uuid
    case transformable
    case binary

    static func < (left: ColumnGroup, right: ColumnGroup) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension AttributeType {
    /// The group of an attribute's column, or nil if the type cannot be stored.
    var columnGroup: ColumnGroup? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .double, .float, .date: .real
        case .decimal: .decimal
        case .string: .text
        case .uri: .uri
        case .uuid: .uuid
        case .transformable: .transformable
        case .binary: .binary
        case .undefined, .objectID, .composite: nil
        }
    }
}
