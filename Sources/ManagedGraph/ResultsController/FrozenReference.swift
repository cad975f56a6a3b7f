/// A weak reference to a frozen list.
struct FrozenReference {
    weak var list: FrozenList?
}
