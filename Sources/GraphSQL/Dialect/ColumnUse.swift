// The content of a column, from which a dialect decides its type.
import GraphModel

/// The kind of content that a column stores.
package enum ColumnUse: Hashable, Sendable {
    case attribute(AttributeType)
    /// The key of the table's rows.
    case primaryKey
    /// The key of another table's row.
    case key
    /// An entity's number, a version, a place in an order.
    case number
    /// A name or another text of the store's own.
    case text
    /// The identifier of a store.
    case storeIdentifier
    /// Seconds since 2001-01-01 UTC.
    case time
    /// Bytes of the store's own.
    case data
}
