// A type after name lookup: no sugar, no aliases. Created by TypeResolver, used by SymbolMangler.

/// A canonical type, limited to the forms that occur in managed properties and methods.
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
    }

    /// Whether managed objects are values of this type, or may be, besides others: `Any`, `NSObject`, a protocol.
    package var holdsOtherTypes: Bool {
        switch self {
        case .optional(let wrapped): wrapped.holdsOtherTypes
        case .existential, .anyObject: true
        case .nominal(let type, _): ["AnyHashable", "NSObject"].contains(type.name)
        case .metatype, .tuple: false
        }
    }

    /// `Void`.
    package static let void = MangledType.tuple([])
}
