// A property's name with the Swift key paths that stand for it. Listed by generated code, or by a class written by hand;
// read by KeyPathNames. Holds no objects.
import Foundation

/// A property of the model and the Swift key paths that mean it.
///
/// The build plugin lists them for every class. A class that is written without it lists its own:
///
/// ```swift
/// override class func managedKeyPaths() -> [ManagedKeyPath] {
///     [ManagedKeyPath("text", \Task.text, \Task?.?.text)]
/// }
/// ```
public struct ManagedKeyPath: @unchecked Sendable {
    // Key paths of properties capture nothing, so they may be used from any thread.

    /// The property's name in the model.
    public let name: String
    let plain: AnyKeyPath
    /// Behind an optional, `?.`.
    let chained: AnyKeyPath
    /// Behind an optional, `!.`.
    let forced: AnyKeyPath

    /// Names a key path.
    ///
    /// - Parameters:
    ///   - name: The property's name in the model.
    ///   - keyPath: The property, `\Task.text`.
    ///   - chained: The property behind an optional, `\Task?.?.text`.
    public init<Root: NSManagedObject, Value>(
        _ name: String,
        _ keyPath: KeyPath<Root, Value>,
        _ chained: PartialKeyPath<Root?>
    ) {
        self.name = name
        plain = keyPath
        self.chained = chained
        let unwrap: KeyPath<Root?, Root> = \Root?.!
        forced = unwrap.appending(path: keyPath)
    }
}
