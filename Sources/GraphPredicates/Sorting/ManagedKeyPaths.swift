// Swift key paths carry no names at run time off Apple's systems. A class that knows the names of its own key paths
// tells them here; sort descriptors and expressions ask.

/// A type that knows the property names of its key paths, as managed object classes do.
public protocol KeyPathNaming {
    /// The name, or the path with dots, that a key path of this type stands for; nil if it is unknown.
    static func managedKey(for keyPath: AnyKeyPath) -> String?
}

enum ManagedKeyPaths {
    /// The name of a key path, asked from its root type.
    static func name(of keyPath: AnyKeyPath) -> String? {
        (type(of: keyPath).rootType as? any KeyPathNaming.Type)?.managedKey(for: keyPath)
    }
}
