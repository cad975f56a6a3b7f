/// A readable object that can list its keys, which `ANYKEY` requires.
package protocol KeyEnumerable {
    var readableKeys: [String] { get }
}
