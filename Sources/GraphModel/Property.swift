import Foundation

/// A property of an entity.
package enum Property: Sendable, Hashable {
    case attribute(Attribute)
    case relationship(Relationship)
    case fetched(FetchedProperty)

    package var name: String {
        switch self {
        case .attribute(let attribute): attribute.common.name
        case .relationship(let relationship): relationship.common.name
        case .fetched(let fetched): fetched.common.name
        }
    }

    package var common: PropertyCommon {
        get {
            switch self {
            case .attribute(let attribute): attribute.common
            case .relationship(let relationship): relationship.common
            case .fetched(let fetched): fetched.common
            }
        }
        set {
            switch self {
            case .attribute(var attribute):
                attribute.common = newValue
                self = .attribute(attribute)
            case .relationship(var relationship):
                relationship.common = newValue
                self = .relationship(relationship)
            case .fetched(var fetched):
                fetched.common = newValue
                self = .fetched(fetched)
            }
        }
    }
}
