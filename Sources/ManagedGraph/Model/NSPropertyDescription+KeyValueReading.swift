// A property's values by key, as predicates of fetched properties read them: `$FETCHED_PROPERTY.userInfo.key`.
import Foundation
import GraphPredicates

extension NSPropertyDescription: KeyValueReadable {
    /// The value of one of the property's own properties.
    ///
    /// - Parameter key: `name`, `userInfo`, `entity`, `isOptional` or `isTransient`.
    /// - Returns: The value; nil for other keys.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "userInfo": userInfo
        case "entity": owner
        case "isOptional", "optional": isOptional
        case "isTransient", "transient": isTransient
        default: nil
        }
    }
}
