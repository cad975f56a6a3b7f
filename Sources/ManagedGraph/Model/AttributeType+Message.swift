// Types of attributes in messages to people.
import GraphModel

extension AttributeType {
    /// The type as a message names it, with its article.
    package var sentenceName: String {
        switch self {
        case .integer16: "an Integer 16"
        case .integer32: "an Integer 32"
        case .integer64: "an Integer 64"
        case .decimal: "a Decimal"
        case .double: "a Double"
        case .float: "a Float"
        case .string: "a String"
        case .boolean: "a Boolean"
        case .date: "a Date"
        case .binary: "Binary Data"
        case .uuid: "a UUID"
        case .uri: "a URI"
        case .transformable: "a transformable value"
        case .objectID: "an object ID"
        case .composite: "a composite value"
        case .undefined: "any value"
        }
    }
}
