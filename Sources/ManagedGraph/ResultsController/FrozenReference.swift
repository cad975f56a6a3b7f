// A copy-on-write snapshot of a list, for delegates that may never read it and for readers that must not see a change
// yet. Beside `FrozenList`.
import GraphPredicates

/// A weak reference to a frozen list.
struct FrozenReference<Object: AnyObject> {
    weak var list: FrozenList<Object>?
}
