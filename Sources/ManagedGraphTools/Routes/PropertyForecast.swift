// The forecast of a migration for one property.
import GraphModel
import GraphSQL
import ManagedGraph

/// The effect on a property.
package struct PropertyForecast: Sendable {
    package enum Kind: String, Sendable {
        case added, dropped, renamed, retyped, defaulted, changed, mapped
    }

    package var kind: Kind
    /// The property's name in the new version; in the old one if it is dropped.
    package var name: String
    /// The former name, if it differs.
    package var source: String?
    /// The change, in words.
    package var detail: String
    /// The number of objects affected: with a value that is dropped, or that receives a default value.
    package var rows: Int?
}
