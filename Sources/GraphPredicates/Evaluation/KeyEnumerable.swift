// The protocols that make objects readable for predicates and sort descriptors. Beside `KeyValueReadable`.

/// A readable object that can list its keys, which `ANYKEY` requires.
package protocol KeyEnumerable {
    var readableKeys: [String] { get }
}
