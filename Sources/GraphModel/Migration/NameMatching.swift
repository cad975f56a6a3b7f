// Matches the names of two versions by renaming identifiers. Used for entities and for properties.

/// Matches names with their counterparts.
enum NameMatching {
    /// The source's names by the destination's names, without new ones.
    ///
    /// A renaming identifier is a canonical name: it is compared with the source's canonical names first, then with its
    /// plain names. Each name is matched once, and names with a renaming identifier come first.
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
