// The names of enumeration values in a `contents` file. Used for reading and writing.
import GraphModel

extension AttributeType {
    /// The name in `attributeType`; nil for the undefined type, which is omitted.
    package var fileName: String? {
        switch self {
        case .undefined: nil
        case .binary: "Binary"
        default: title
        }
    }
}

extension DeleteRule {
    /// The name in `deletionRule`: the one that Xcode's editor shows.
    package var fileName: String { title }
}
