// One change of a row in a transaction of the persistent history.
import Foundation

/// An insertion, update or deletion of one object in a transaction of the history.
package struct HistoryChange {
    package var number: Int64
    package var type: Int64
    package var key: ObjectKey
    /// The changed properties, by their numbers in the entity's history order.
    package var properties: [Int]
    /// The values of a deleted row that the model preserves, by attribute.
    package var tombstone: [String: RowValue]

    package init(number: Int64, type: Int64, key: ObjectKey, properties: [Int], tombstone: [String: RowValue]) {
        self.number = number
        self.type = type
        self.key = key
        self.properties = properties
        self.tombstone = tombstone
    }
}
