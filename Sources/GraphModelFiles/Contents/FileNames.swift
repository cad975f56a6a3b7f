// The names of enumeration values in a `contents` file. Used for reading and writing.
import GraphModel

extension AttributeType {
    /// The name in `attributeType`; nil for the undefined type, which is omitted.
    package var fileName: String? {
        switch self {
        case .undefined: nil
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        }
    }
}

extension DeleteRule {
    /// The name in `deletionRule`.
    package var fileName: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}
