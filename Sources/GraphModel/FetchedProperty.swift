// A fetched property of an entity, as a value. Wrapped by `Property`.
import Foundation

/// A fetched property: a stored request whose value is an array of objects.
package struct FetchedProperty: Sendable, Hashable {
    package var common: PropertyCommon
    package var request: FetchRequestTemplate

    package init(common: PropertyCommon, request: FetchRequestTemplate) {
        self.common = common
        self.request = request
    }

    package var name: String { common.name }
}
