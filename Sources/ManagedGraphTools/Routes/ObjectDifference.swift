// The effect of a rehearsed migration on one object.
import Foundation
import GraphModel
import GraphSQLite
import ManagedGraph

/// One object before and after.
package struct ObjectDifference: Sendable {
    /// One property.
    package struct Change: Sendable {
        package enum Kind: String, Sendable { case added, dropped, changed }

        package var kind: Kind
        package var property: String
        package var old: String?
        package var new: String?
    }

    /// The object's entity, or its former one if it is gone.
    package var entity: String
    package var source: String?
    package var destination: String?
    package var changes: [Change]
}
