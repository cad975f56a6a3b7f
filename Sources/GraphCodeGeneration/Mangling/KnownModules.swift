// The modules whose types the generator resolves without reading their sources. Used by TypeResolver and SourceIndex.

/// Tables of types by module.
enum KnownModules {
    /// In the order of lookup.
    private static let tables = [GraphTypes.table, FoundationTypes.table, StandardTypes.table]

    /// Names that may qualify a type, with the tables they reach.
    private static let qualifiers: [String: [KnownTypes]] = [
        "ManagedGraph": tables, "CoreData": tables, "Foundation": [FoundationTypes.table],
        "FoundationEssentials": [FoundationTypes.table], "FoundationNetworking": [FoundationTypes.table],
        "CoreFoundation": [FoundationTypes.table], "Swift": [StandardTypes.table],
    ]

    static func isModule(_ name: String) -> Bool { qualifiers[name] != nil }

    static func type(_ path: String, in module: String? = nil) -> NominalType? {
        search(module).lazy.compactMap { $0.types[path] }.first
    }

    static func alias(_ name: String, in module: String? = nil) -> String? {
        search(module).lazy.compactMap { $0.aliases[name] }.first
    }

    private static func search(_ module: String?) -> [KnownTypes] {
        guard let module else { return tables }
        return qualifiers[module] ?? []
    }
}
