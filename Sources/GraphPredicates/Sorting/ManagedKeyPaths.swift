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

    /// Whether a key path leads nowhere: `\.self`.
    static func isIdentity(_ keyPath: AnyKeyPath) -> Bool {
        func identity<Root>(_ type: Root.Type) -> AnyKeyPath { \Root.self }
        return _openExistential(type(of: keyPath).rootType, do: identity) == keyPath
    }
}

#if !canImport(ObjectiveC)
    extension AnyKeyPath {
        /// The name, or the path with dots, that a key path of a managed object class stands for.
        ///
        /// The standard library's property of this name asks the Objective-C run time and is nil off Apple's systems;
        /// libraries that turn key paths into predicates read it. `self` for `\.self`; nil where the key path's type knows no
        /// such name. O(1) for one that was named before.
        public var _kvcKeyPathString: String? {
            ManagedKeyPaths.name(of: self) ?? (ManagedKeyPaths.isIdentity(self) ? "self" : nil)
        }
    }
#endif
