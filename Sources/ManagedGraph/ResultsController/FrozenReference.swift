/// A weak reference to a frozen list.
struct FrozenReference<Object: AnyObject> {
    weak var list: FrozenList<Object>?
}
