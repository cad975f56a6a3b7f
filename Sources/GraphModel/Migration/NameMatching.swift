// Which name of one version is which of another, by renaming identifiers. Used for entities and for properties.

/// A name with what it was called before.
struct VersionedName {
    var name: String
    var renamingIdentifier: String?

    /// The name that all versions share.
    var canonical: String { renamingIdentifier ?? name }
}

/// Finds the counterparts of names.
enum NameMatching {
    /// The source's names by the destination's; new names are left out.
    ///
    /// A renaming identifier is a canonical name: first it is compared with the source's canonical names, then with its
    /// plain ones. A name is taken once, and those that say what they were come first.
    static func match(source: [VersionedName], destination: [VersionedName]) -> [String: String] {
        var result: [String: String] = [:]
        var free = source
        func take(_ wanted: VersionedName, _ fits: (VersionedName) -> Bool) {
            guard result[wanted.name] == nil, let index = free.firstIndex(where: fits) else { return }
            result[wanted.name] = free.remove(at: index).name
        }
        for wanted in destination where wanted.renamingIdentifier != nil {
            take(wanted) { $0.canonical == wanted.canonical }
        }
        for wanted in destination where wanted.renamingIdentifier != nil {
            take(wanted) { $0.name == wanted.canonical }
        }
        for wanted in destination { take(wanted) { $0.name == wanted.name } }
        for wanted in destination where wanted.renamingIdentifier == nil {
            take(wanted) { $0.canonical == wanted.name }
        }
        return result
    }
}
