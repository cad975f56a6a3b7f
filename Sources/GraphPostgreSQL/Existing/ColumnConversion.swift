// Converts values between a column of another program and an attribute of another type. Used by the views that fetches
// read, and by the statements that write.
import GraphEngine
import GraphModel

/// A conversion between the type of a column and that of an attribute.
enum ColumnConversion: Equatable {
    /// The types are the same, or the database compares and assigns the one as the other.
    case none
    /// A time without a zone, which is taken as one of UTC.
    case time
    /// A number that is not 0 for true.
    case truth
    /// A cast to the type.
    case cast(String)

    /// Finds the conversion for a column; nil if no value of the column can be one of the attribute.
    ///
    /// - Parameters:
    ///   - type: The column's type, as the database spells it without length.
    ///   - attribute: The attribute's type.
    init?(from type: String, to attribute: AttributeType) {
        if type.hasSuffix("[]") { return nil }
        let integers: Set<String> = ["smallint", "integer", "bigint"]
        switch attribute {
        case .integer16, .integer32, .integer64: self = integers.contains(type) ? .none : .cast("bigint")
        case .boolean:
            self = type == "boolean" ? .none : integers.contains(type) ? .truth : .cast("boolean")
        case .double, .float: self = ["double precision", "real"].contains(type) ? .none : .cast("double precision")
        case .decimal: self = type == "numeric" ? .none : .cast("numeric")
        case .date:
            switch type {
            case "timestamp with time zone": self = .none
            case "timestamp without time zone", "date": self = .time
            default: return nil
            }
        case .string, .uri: self = ["text", "character varying"].contains(type) ? .none : .cast("text")
        case .uuid: self = type == "uuid" ? .none : .cast("uuid")
        case .binary, .transformable, .undefined, .objectID, .composite:
            guard type == "bytea" else { return nil }
            self = .none
        }
    }

    /// The value of a column as the attribute's.
    func read(_ column: String) -> String {
        switch self {
        case .none: column
        case .time: "(\(column)::timestamp AT TIME ZONE 'UTC')"
        case .truth: "(\(column) <> 0)"
        case .cast(let type): "\(column)::\(type)"
        }
    }

    /// A value of the attribute as one of the column, whose type has a name.
    func written(_ value: String, as type: String) -> String {
        switch self {
        case .none: value
        case .time: "(\(value) AT TIME ZONE 'UTC')::\(type)"
        case .truth: "\(value)::integer::\(type)"
        case .cast: "\(value)::\(type)"
        }
    }
}
