// The types of parameters and results, by the numbers that all servers share. Used by the driver's encoders and
// decoders.
import GraphSQL

/// A type of the database.
package struct PostgreSQLType: Hashable, Sendable {
    /// The type's number (OID); 0 if the server shall infer the type.
    package let oid: UInt32

    package init(oid: UInt32) { self.oid = oid }

    package static let inferred = PostgreSQLType(oid: 0)
    package static let boolean = PostgreSQLType(oid: 16)
    package static let bytea = PostgreSQLType(oid: 17)
    package static let character = PostgreSQLType(oid: 18)
    package static let name = PostgreSQLType(oid: 19)
    package static let int8 = PostgreSQLType(oid: 20)
    package static let int2 = PostgreSQLType(oid: 21)
    package static let int4 = PostgreSQLType(oid: 23)
    package static let text = PostgreSQLType(oid: 25)
    package static let oid = PostgreSQLType(oid: 26)
    package static let json = PostgreSQLType(oid: 114)
    package static let xml = PostgreSQLType(oid: 142)
    package static let float4 = PostgreSQLType(oid: 700)
    package static let float8 = PostgreSQLType(oid: 701)
    package static let unknown = PostgreSQLType(oid: 705)
    package static let bpchar = PostgreSQLType(oid: 1042)
    package static let varchar = PostgreSQLType(oid: 1043)
    package static let date = PostgreSQLType(oid: 1082)
    package static let timestamp = PostgreSQLType(oid: 1114)
    package static let timestamptz = PostgreSQLType(oid: 1184)
    package static let numeric = PostgreSQLType(oid: 1700)
    package static let uuid = PostgreSQLType(oid: 2950)
    package static let jsonb = PostgreSQLType(oid: 3802)

    /// Whether the binary form is the text in UTF-8; types of extensions and enumerations are taken for such.
    var isText: Bool {
        switch self {
        case .text, .varchar, .bpchar, .name, .character, .json, .xml, .unknown: true
        default: isUserDefined
        }
    }

    /// Whether an extension or a user has defined the type; the numbers differ from database to database.
    var isUserDefined: Bool { oid >= 16_384 }

    /// The element type of an array type; nil for another type.
    var element: PostgreSQLType? { Self.elements[oid] }

    /// The type of a list's elements.
    init(_ type: TypedValue.ElementType) {
        self =
            switch type {
            case .boolean: .boolean
            case .integer: .int8
            case .real: .float8
            case .decimal: .numeric
            case .time: .timestamptz
            case .text: .text
            case .uuid: .uuid
            case .data: .bytea
            }
    }

    /// The type of an array with elements of a type.
    static func array(of type: TypedValue.ElementType) -> PostgreSQLType {
        switch type {
        case .boolean: PostgreSQLType(oid: 1000)
        case .integer: PostgreSQLType(oid: 1016)
        case .real: PostgreSQLType(oid: 1022)
        case .decimal: PostgreSQLType(oid: 1231)
        case .time: PostgreSQLType(oid: 1185)
        case .text: PostgreSQLType(oid: 1009)
        case .uuid: PostgreSQLType(oid: 2951)
        case .data: PostgreSQLType(oid: 1001)
        }
    }

    private static let elements: [UInt32: PostgreSQLType] = [
        1000: .boolean, 1001: .bytea, 1005: .int2, 1007: .int4, 1009: .text, 1014: .bpchar, 1015: .varchar,
        1016: .int8, 1021: .float4, 1022: .float8, 1115: .timestamp, 1182: .date, 1185: .timestamptz, 1231: .numeric,
        2951: .uuid,
    ]
}

extension PostgreSQLType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inferred: "unspecified"
        case .boolean: "boolean"
        case .bytea: "bytea"
        case .int2: "smallint"
        case .int4: "integer"
        case .int8: "bigint"
        case .text: "text"
        case .varchar: "varchar"
        case .float4: "real"
        case .float8: "double precision"
        case .date: "date"
        case .timestamp: "timestamp"
        case .timestamptz: "timestamptz"
        case .numeric: "numeric"
        case .uuid: "uuid"
        default: element.map { "\($0)[]" } ?? "type \(oid)"
        }
    }
}
