// The step by which the cells of a column are decoded, chosen once a column. Used by BatchDecoder.
import GraphEngine

/// The conversion of a column's cells.
enum CellStep: UInt8 {
    case int8, int4, int2, boolean
    case float8, float4, timestamp
    case int8AsReal, int4AsReal
    /// Bytes that are stored as they are; a text is valid already, because the server has converted it.
    case bytes
    /// A text of which the server checks nothing.
    case foreignText
    case uuid
    case numericText
    /// A type that models rarely have.
    case otherInteger, otherReal, otherText

    init?(_ kind: ColumnKind, _ type: PostgreSQLType) {
        switch (kind, type) {
        case (.integer, .int8): self = .int8
        case (.integer, .int4): self = .int4
        case (.integer, .int2): self = .int2
        case (.integer, .boolean): self = .boolean
        case (.integer, .numeric), (.integer, .oid), (.integer, .float8), (.integer, .float4): self = .otherInteger
        case (.real, .float8): self = .float8
        case (.real, .float4): self = .float4
        case (.real, .timestamptz), (.real, .timestamp): self = .timestamp
        case (.real, .int8): self = .int8AsReal
        case (.real, .int4): self = .int4AsReal
        case (.real, .int2), (.real, .boolean), (.real, .numeric), (.real, .date), (.real, .oid): self = .otherReal
        case (.text, .numeric): self = .numericText
        case (.text, .jsonb), (.text, .uuid), (.text, .int8), (.text, .int4), (.text, .int2): self = .otherText
        case (.text, _) where type.isUserDefined: self = .foreignText
        case (.text, _) where type.isText: self = .bytes
        case (.blob, .bytea), (.blob, .uuid): self = .bytes
        case (.uuid, .uuid), (.uuid, .bytea): self = .uuid
        // The type of a literal NULL, which has no value.
        case (.integer, .text), (.integer, .unknown): self = .otherInteger
        case (.real, .text), (.real, .unknown): self = .otherReal
        case (.blob, .text), (.blob, .unknown), (.uuid, .text), (.uuid, .unknown): self = .uuid
        default: return nil
        }
    }

    /// The length of all values; 0 if it varies.
    @inline(__always)
    var length: Int {
        switch self {
        case .int8, .float8, .timestamp, .int8AsReal: 8
        case .int4, .float4, .int4AsReal: 4
        case .int2: 2
        case .boolean: 1
        case .uuid: 16
        default: 0
        }
    }

    var usesArena: Bool {
        switch self {
        case .bytes, .foreignText, .uuid, .numericText, .otherText: true
        default: false
        }
    }
}
