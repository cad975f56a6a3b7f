// The value of an expression in a check of a fetch: its kind, or its element.
import GraphModel
import GraphPredicates

/// The kind of an expression, as far as the model defines it.
indirect enum CheckedValue {
    case value(ValueKind)
    /// The values of a to-many key path or of a subquery.
    case many(CheckedValue)
    /// A list, constant or written out.
    case list([CheckedValue])
    case null
    /// Values that only objects can provide: transformable values, computed properties, variables.
    case any
}
