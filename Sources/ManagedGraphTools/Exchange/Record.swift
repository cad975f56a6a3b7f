// Converts rows to records: the values of a row batch by property, with related objects by name. Beside
// `RecordReader`.
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
