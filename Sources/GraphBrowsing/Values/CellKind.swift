// The kinds of cells of a grid. Values only.

/// The kind of a displayed value, which decides how it is drawn, aligned and edited.
public enum CellKind: String, Codable, Sendable {
    /// No value.
    case null
    /// A text.
    case text
    /// An integer, a floating point number or a decimal.
    case number
    /// `true` or `false`.
    case boolean
    /// A moment, as ISO 8601 in UTC.
    case date
    /// A UUID.
    case uuid
    /// An address.
    case uri
    /// Bytes.
    case binary
    /// A value of a class that a transformer reads, as its description.
    case transformable
    /// A composite attribute, as its elements.
    case composite
    /// A related object.
    case toOne
    /// Related objects, by number.
    case toMany
    /// The object has no property of this name.
    case absent
}
