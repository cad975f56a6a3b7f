// The protocols that make objects readable for predicates and sort descriptors. Beside `KeyValueReadable`.

/// An object that predicates compare by a shared identity: a managed object and its ID.
package protocol IdentityComparable {
    var comparableIdentity: AnyHashable { get }
}
