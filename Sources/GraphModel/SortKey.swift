// The schema as values: the content of a model file, without behaviour. Beside `Model`.
import Foundation

/// One key of a stored sort order.
package struct SortKey: Sendable, Hashable {
    package var key: String
    package var ascending: Bool

    package init(key: String, ascending: Bool) {
        self.key = key
        self.ascending = ascending
    }
}
