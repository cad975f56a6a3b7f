// Maps a member of a managed class to the model property that it represents. Used by AccessorWriter and
// RegistrationWriter.
import GraphModel

/// Finds keys by the names of members.
struct ManagedKeys {
    let sources: ManagedSources
    let classes: EntityClasses

    /// The properties of a declared class by name, inherited ones included; nil if no model has the class.
    ///
    /// A class that no entity names may be the superclass of named ones, and then has the properties of all of them.
    func properties(of path: [String]) -> [String: Property]? {
        let name = path.joined(separator: ".")
        if let properties = modelProperties(of: name) { return properties }
        var result: [String: Property] = [:]
        var isKnown = false
        for (candidate, _) in sources.classes where isSubclass(candidate, of: name) {
            guard let properties = modelProperties(of: candidate) else { continue }
            isKnown = true
            result.merge(properties) { first, _ in first }
        }
        return isKnown ? result : nil
    }

    private func modelProperties(of name: String) -> [String: Property]? {
        let declared = sources.classes[name]?.declaration
        for candidate in [declared?.name ?? name, declared?.objectiveCName].compactMap({ $0 })
        where classes.entityClass(named: candidate) != nil {
            return classes.allProperties(ofClass: candidate)
        }
        return nil
    }

    private func isSubclass(_ name: String, of ancestor: String) -> Bool {
        var current = sources.classes[name]?.superclassPath
        for _ in 0..<64 {
            guard let path = current?.joined(separator: ".") else { return false }
            if path == ancestor { return true }
            current = sources.classes[path]?.superclassPath
        }
        return false
    }

    /// The key whose first letter is capitalized in a member's name: `DueDate` stands for `dueDate`.
    ///
    /// - Parameters:
    ///   - part: The part of the member's name that stands for the key.
    ///   - properties: The class's properties, or nil if no model has the class.
    /// - Returns: The key, or nil if the model has no such key.
    static func key(_ part: Substring, in properties: [String: Property]?) -> String? {
        guard let first = part.first, first.isUppercase || !first.isLetter else { return nil }
        let small = SwiftName.decapitalized(String(part))
        guard let properties else { return small }
        if properties[small] != nil { return small }
        return properties[String(part)] != nil ? String(part) : nil
    }
}
