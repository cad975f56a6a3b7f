// Derives Swift names in generated code from the names in a model. Used by the writers.

/// Spelling of identifiers.
enum SwiftName {
    /// Reserved words, which need backticks as names.
    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while", "Type", "Protocol",
    ]

    /// Members of NSObject and NSManagedObject; Core Data also forbids properties with these names.
    private static let inherited: Set<String> = [
        "description", "debugDescription", "hash", "hashValue", "superclass", "className", "isProxy", "zone", "copy",
        "mutableCopy", "dealloc", "retain", "release", "autorelease", "retainCount", "init", "self", "class",
        "objectID", "entity", "managedObjectContext", "hasChanges", "isInserted", "isUpdated", "isDeleted", "isFault",
        "faultingState", "hasPersistentChangedValues", "hasFault", "changedValues", "changedValuesForCurrentEvent",
        "awakeFromInsert", "awakeFromFetch", "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault",
        "didTurnIntoFault", "validateForInsert", "validateForUpdate", "validateForDelete", "observationInfo",
    ]

    /// Whether an accessor of this name would hide a member of every managed object.
    static func isInherited(_ name: String) -> Bool { inherited.contains(name) }

    /// The name as declared: in backticks if it is a keyword or not a plain identifier.
    static func declared(_ name: String) -> String {
        isPlain(name) && !keywords.contains(name) ? name : "`\(name)`"
    }

    /// The name with an uppercase first letter, as used in the to-many accessors.
    static func capitalized(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The name with a lowercase first letter.
    static func decapitalized(_ name: String) -> String {
        name.prefix(1).lowercased() + name.dropFirst()
    }

    /// The name with each character that is invalid in an identifier replaced.
    static func sanitized(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The class that a model names; nil for `NSManagedObject` or no name.
    ///
    /// The name may be bare (`Task`), with a dot (`.Task`), with its module (`App.Task`) or mangled (`_TtC3App4Task`).
    static func className(_ qualifiedName: String?) -> String? {
        guard var name = qualifiedName?.split(separator: ".").last.map(String.init) else { return nil }
        if name.hasPrefix("_TtC") { name = lastMangledIdentifier(name) ?? name }
        return name.isEmpty || name == "NSManagedObject" ? nil : name
    }

    /// The class that a transformable attribute names; nil for none.
    ///
    /// Xcode writes the class's module before a dot, also if there is no class, and for the own module the dot alone.
    static func valueClass(_ name: String?) -> String? {
        guard let name, !name.isEmpty, !name.hasSuffix(".") else { return nil }
        return name.hasPrefix(".") ? String(name.dropFirst()) : name
    }

    private static func lastMangledIdentifier(_ text: String) -> String? {
        var rest = text.dropFirst("_TtC".count)
        var result: String?
        while let first = rest.first, first.isNumber {
            let digits = rest.prefix { $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let count = Int(digits), count <= rest.count else { return nil }
            result = String(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return result
    }
}
