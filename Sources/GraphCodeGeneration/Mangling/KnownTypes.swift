// A table of types by the name that source text gives them. Filled by StandardTypes, FoundationTypes and
// GraphTypes; read by KnownModules.

/// Types of modules whose sources the generator does not read.
struct KnownTypes: Sendable {
    /// Types by name; nested types by their dotted path.
    var types: [String: NominalType] = [:]
    /// Aliases by name, with the underlying type as source text.
    var aliases: [String: String] = [:]

    mutating func add(_ name: String, kind: NominalType.Kind, module: String) {
        types[name] = NominalType(module: module, name: name, kind: kind)
    }

    mutating func addAlias(_ name: String, target: String) {
        aliases[name] = target
    }
}
