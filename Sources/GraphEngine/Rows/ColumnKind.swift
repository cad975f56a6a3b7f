/// The decoding of a batch's column, regardless of the storage class in the row.
public enum ColumnKind: UInt8, Sendable {
    case integer
    case real
    case text
    case blob
    /// Data of 16 bytes.
    case uuid
}
