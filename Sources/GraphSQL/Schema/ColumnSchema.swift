// The places of a model's entities and properties in Apple's layout, in the spelling of one dialect. Beside
// `StoreSchema`.
import GraphModel

/// A column with its declared type.
package struct ColumnSchema: Sendable, Hashable {
    package var name: String
    package var declaredType: String

    package init(name: String, declaredType: String) {
        self.name = name
        self.declaredType = declaredType
    }
}
