/// A type that provides the property names of its key paths, as managed object classes do.
public protocol KeyPathNaming {
    /// The name, or the path with dots, of a key path of this type; nil if it is unknown.
    static func managedKey(for keyPath: AnyKeyPath) -> String?
}
