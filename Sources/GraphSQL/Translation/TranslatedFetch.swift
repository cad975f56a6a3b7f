// The outcome of a translation: handed to the driver by the store.
import GraphEngine

/// A statement with its values, and the content of its columns.
package struct TranslatedFetch: Hashable, Sendable {
    package var statement: SQLStatement
    package var columns: [ResultColumn]
}
