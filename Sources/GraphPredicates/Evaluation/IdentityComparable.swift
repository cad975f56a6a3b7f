/// An object that predicates compare by a shared identity: a managed object and its ID.
package protocol IdentityComparable {
    var comparableIdentity: AnyHashable { get }
}
