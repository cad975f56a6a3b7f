// The names of managed object classes that no generated code registers: private ones, which it cannot name, and nested
// ones, whose last names may be alike. Read by ManagedObjectRegistry.
import Foundation
import Synchronization

/// The name of a managed object class, for the `managedObjectClassName` of an entity that is made in code.
///
/// Stands in for Foundation's function, which off Apple's platforms stops the program at private and nested classes.
///
/// - Parameter aClass: The class.
/// - Returns: `App.Task` for `Task`, even if it is private, and `App.Tasks.Task` for a class in `Tasks`.
public func NSStringFromClass(_ aClass: NSManagedObject.Type) -> String { NamedClasses.name(of: aClass) }

/// Classes whose names were asked for.
enum NamedClasses {
    private static let types = Mutex<[String: NSManagedObject.Type]>([:])

    /// The name of a class, by which `type(named:)` finds it again.
    static func name(of type: NSManagedObject.Type) -> String {
        if type == NSManagedObject.self { return "NSManagedObject" }
        // For a private class this is `App.(unknown context at $5581).Task`.
        let full = String(reflecting: type)
        let parts = full.split(separator: ".")
        guard parts.count > 2 else { return full }
        let name = parts.filter { !$0.hasPrefix("(") }.joined(separator: ".")
        return types.withLock { types in
            if let other = types[name], other != type {
                // Two files have a private class of this name.
                types[full] = type
                return full
            }
            types[name] = type
            return name
        }
    }

    /// The class that has been given a name.
    static func type(named name: String) -> NSManagedObject.Type? { types.withLock { $0[name] } }
}
