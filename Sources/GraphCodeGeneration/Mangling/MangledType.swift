// A type after name lookup: no sugar, no aliases. Made by TypeResolver, read by Mangler.

/// A canonical type, as far as declarations of managed properties and methods use types.
package indirect enum MangledType: Hashable, Sendable {
    /// A class, struct or enum with its generic arguments.
    case nominal(NominalType, [MangledType])
    case optional(MangledType)
    /// `any P & Q`, with the class bound of a composition, if any; empty is `Any`.
    case existential([NominalType], superclass: NominalType?)
    /// `AnyObject`.
    case anyObject
    case metatype(MangledType)
    case tuple([TupleElement])

    /// An element of a tuple.
    package struct TupleElement: Hashable, Sendable {
        package var label: String?
        package var type: MangledType

        package init(label: String?, type: MangledType) {
            self.label = label
            self.type = type
        }
    }

    /// `Void`.
    package static let void = MangledType.tuple([])
}
