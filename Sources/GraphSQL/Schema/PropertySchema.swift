// The columns that hold a property.
import GraphModel

/// The columns that store one property.
package enum PropertySchema: Sendable {
    case attribute(AttributeColumn)
    case toOne(ToOneColumn)
    /// To-many whose inverse is to-one: the destination's column points back.
    case toManyInverse(ToManyInverse)
    /// Many-to-many: a join table.
    case manyToMany(ManyToMany)
}
