// A key of the order of a stored fetch request.
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
