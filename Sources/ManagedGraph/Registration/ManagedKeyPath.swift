// The name of a property and the Swift key paths that stand for it. Listed by generated or handwritten classes; read by
// KeyPathNames. Holds no objects.
import Foundation

/// A property of the model and its Swift key paths.
///
/// The build plugin lists them for every class. A handwritten class lists its own:
///
/// ```swift
/// override class func managedKeyPaths() -> [ManagedKeyPath] {
///     [ManagedKeyPath("text", \Task.text, \Task?.?.text)]
/// }
/// ```
public struct ManagedKeyPath: @unchecked Sendable {
    // Key paths of properties capture nothing, so they may be used on any thread.

    /// The property's name in the model.
    public let name: String
    let plain: AnyKeyPath
    /// Chained through an optional, `?.`.
    let chained: AnyKeyPath
    /// Force-unwrapped, `!.`.
    let forced: AnyKeyPath

    /// Makes an entry for a property.
    ///
    /// - Parameters:
    ///   - name: The property's name in the model.
    ///   - keyPath: The property, `\Task.text`.
    ///   - chained: The property after an optional, `\Task?.?.text`.
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
