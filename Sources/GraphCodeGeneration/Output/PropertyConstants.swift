// The constants that accessors pass to the runtime: one for each class and property, in the file that registers the
// target's classes. As accessors refer to them, a linker that pulls an accessor from a library also pulls the
// registration.

/// Names of property constants, in the order of their first use.
struct PropertyConstants {
    /// The type that holds the constants.
    static let namespace = "ManagedObjectProperties"

    private var namesByKey: [String: String] = [:]
    private var usedNames: Set<String> = []
    private(set) var declarations: [(name: String, property: String)] = []

    /// The expression for a property's constant.
    mutating func expression(class owner: String, property: String) -> String {
        let key = "\(owner).\(property)"
        if let name = namesByKey[key] { return "\(Self.namespace).\(name)" }
        let base = SwiftName.sanitized("\(owner)_\(property)")
        var name = base
        var number = 2
        while !usedNames.insert(name).inserted {
            name = "\(base)_\(number)"
            number += 1
        }
        namesByKey[key] = name
        declarations.append((name, property))
        return "\(Self.namespace).\(name)"
    }
}
