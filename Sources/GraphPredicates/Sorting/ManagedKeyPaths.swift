// Swift key paths have no names at run time outside Apple's platforms. A class provides the names of its own key paths here,
// for sort descriptors and expressions.

enum ManagedKeyPaths {
    /// The name of a key path, from its root type.
    static func name(of keyPath: AnyKeyPath) -> String? {
        (type(of: keyPath).rootType as? any KeyPathNaming.Type)?.managedKey(for: keyPath)
    }

    /// Whether a key path is `\.self`.
    static func isIdentity(_ keyPath: AnyKeyPath) -> Bool {
        func identity<Root>(_ type: Root.Type) -> AnyKeyPath { \Root.self }
        return _openExistential(type(of: keyPath).rootType, do: identity) == keyPath
    }
}

#if !canImport(ObjectiveC)
    extension AnyKeyPath {
        /// The name, or the path with dots, of a key path of a managed object class.
        ///
        /// The standard library's property of this name uses the Objective-C runtime and is nil on other platforms;
        /// libraries that convert key paths to predicates read it. `self` for `\.self`; nil if the key path's type
        /// provides no name. O(1) if the name was read before.
        public var _kvcKeyPathString: String? {
            ManagedKeyPaths.name(of: self) ?? (ManagedKeyPaths.isIdentity(self) ? "self" : nil)
        }
    }
#endif
