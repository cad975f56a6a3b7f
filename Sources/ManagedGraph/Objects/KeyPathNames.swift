// The names of Swift key paths of managed object classes. Outside Apple's platforms a key path has no name, so this
// searches the classes' own lists; it composes a path over several objects from them until one equals the path. Names
// that were found are cached. Attributes that are private to a file are in no list: PrivateKeyPaths finds them. Used by
// predicates, sort descriptors and expressions made of Swift key paths.
import Foundation
import GraphPredicates
import Synchronization

/// Finds the names of Swift key paths.
enum KeyPathNames {
    private struct Table: Sendable {
        /// Key paths of one class by hash value: two that were composed differently are not equal, but hash alike.
        var names: [Int: String] = [:]
        /// The same by their description: if a setter is not visible, a key path has another type and another hash
        /// value.
        var printed: [String: String] = [:]
        var properties: [ManagedKeyPath] = []
    }

    private struct State {
        var tables: [ObjectIdentifier: Table] = [:]
        /// The names of paths over several objects, nil for those that have none.
        var composed: [AnyKeyPath: String?] = [:]
    }

    // Key paths of properties capture nothing, so they may be used from any thread.
    private struct Cache: @unchecked Sendable { var state = State() }

    private static let cache = Mutex(Cache())
    /// The greatest number of steps of a path, and of paths that are tried.
    private static let limits = (steps: 6, candidates: 40_000)

    /// The name, or the path with dots; nil if it is not a path of the model's properties.
    static func name(of keyPath: AnyKeyPath, in type: NSManagedObject.Type) -> String? {
        let table = table(of: type)
        if let name = table.names[keyPath.hashValue] { return name }
        if let cached = cache.withLock({ $0.state.composed[keyPath] }) { return cached }
        if let name = table.printed[keyPath.debugDescription] ?? search(keyPath, from: type) {
            cache.withLock { $0.state.composed[keyPath] = .some(name) }
            return name
        }
        // Without a model the name may be found later.
        guard let entity = ManagedObjectRegistry.entity(of: type) else { return nil }
        let listed = Set(table.properties.map(\.name))
        let name = PrivateKeyPaths.name(of: keyPath, in: type, entity, listed: listed)
        cache.withLock { $0.state.composed[keyPath] = .some(name) }
        return name
    }

    private static func table(of type: NSManagedObject.Type) -> Table {
        if let cached = cache.withLock({ $0.state.tables[ObjectIdentifier(type)] }) { return cached }
        var table = Table()
        table.properties = type.managedKeyPaths()
        for property in table.properties {
            table.names[property.plain.hashValue] = property.name
            table.printed[property.plain.debugDescription] = property.name
        }
        cache.withLock { [table] in $0.state.tables[ObjectIdentifier(type)] = table }
        return table
    }

    /// The beginning of a path that may lead to the searched one.
    private struct Prefix {
        var path: AnyKeyPath
        var name: String
        var destination: NSManagedObject.Type
    }

    private static func search(_ keyPath: AnyKeyPath, from type: NSManagedObject.Type) -> String? {
        let hash = keyPath.hashValue
        var front = steps(of: type).map { Prefix(path: $0.0, name: $0.1, destination: $0.2) }
        var tried = 0
        for _ in 1..<limits.steps where !front.isEmpty {
            var next: [Prefix] = []
            for prefix in front {
                for property in table(of: prefix.destination).properties {
                    for step in [property.chained, property.forced, property.plain] {
                        guard let path = prefix.path.appending(path: step) else { continue }
                        tried += 1
                        let name = prefix.name + "." + property.name
                        if path.hashValue == hash { return name }
                        if let destination = destination(of: property.plain) {
                            next.append(Prefix(path: path, name: name, destination: destination))
                        }
                    }
                    guard tried < limits.candidates else { return nil }
                }
            }
            front = next
        }
        return nil
    }

    /// The to-one relationships of a class.
    private static func steps(of type: NSManagedObject.Type) -> [(AnyKeyPath, String, NSManagedObject.Type)] {
        table(of: type).properties.compactMap { property in
            destination(of: property.plain).map { (property.plain, property.name, $0) }
        }
    }

    /// The class of the object that a property leads to, if it is one object.
    private static func destination(of keyPath: AnyKeyPath) -> NSManagedObject.Type? {
        let type = Swift.type(of: keyPath).valueType
        return (type as? any ObjectOptional.Type)?.objectType ?? type as? NSManagedObject.Type
    }
}

extension NSManagedObject: KeyPathNaming {
    /// The name, or the path with dots, that a key path of this class stands for.
    ///
    /// - Parameter keyPath: A key path such as `\Task.text` or `\Task.location?.name`.
    /// - Returns: `text`, `location.name`; nil if a step is not a property of the model. O(1) for one that was named
    /// before.
    public static func managedKey(for keyPath: AnyKeyPath) -> String? {
        KeyPathNames.name(of: keyPath, in: self)
    }
}
