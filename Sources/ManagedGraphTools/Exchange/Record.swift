// A row in text form, as exports and fetches print it.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// A row in text form.
package struct Record {
    package let entity: String
    /// The object's name, in the requested form.
    package let id: String
    /// The properties' values, in the order of the reader's properties.
    package let values: [FieldValue]
}
