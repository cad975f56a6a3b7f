/// How a column of a batch is decoded, whatever the row stores.
public enum ColumnKind: UInt8, Sendable {
    case integer
    case real
    case text
    case blob
    /// Data of 16 bytes.
    case uuid
}
