// Classes by name, for the function that generated code puts in the place of Foundation's.
import Foundation

extension ModuleRegistration {
    /// The class of a name: called by the function `NSClassFromString` of targets with the build plugin.
    ///
    /// Foundation's function, outside Apple's platforms, finds classes with their module alone.
    ///
    /// - Parameter name: A name such as `Task` for `@objc(Task)`, or `App.Task`.
    /// - Returns: The managed object class of this name, otherwise the class that Foundation finds.
    public static func classNamed(_ name: String) -> AnyClass? {
        if let type = ManagedObjectRegistry.objectClass(named: name) { return type }
        // Foundation's function logs that it does not support nested classes.
        return name.split(separator: ".").count > 2 ? nil : NSClassFromString(name)
    }
}
