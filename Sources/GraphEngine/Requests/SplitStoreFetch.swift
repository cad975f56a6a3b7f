// A fetch in two parts: one for the store, and the remainder that is evaluated in memory.
import GraphPredicates

/// The part of a fetch that an engine evaluates, without limit and offset, and the remainder for the objects.
package struct SplitStoreFetch {
    package var fetch: StoreFetch
    /// The condition that the objects must also satisfy; nil for none.
    package var remainder: PredicateNode?
    /// Whether the rows come in the requested order.
    package var isSorted: Bool

    package init(fetch: StoreFetch, remainder: PredicateNode?, isSorted: Bool) {
        self.fetch = fetch
        self.remainder = remainder
        self.isSorted = isSorted
    }
}
