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
        func take(_ target: VersionedName, _ fits: (VersionedName) -> Bool) {
            guard result[target.name] == nil, let index = free.firstIndex(where: fits) else { return }
            result[target.name] = free.remove(at: index).name
        }
        for target in destination where target.renamingIdentifier != nil {
            take(target) { $0.canonical == target.canonical }
        }
        for target in destination where target.renamingIdentifier != nil {
            take(target) { $0.name == target.canonical }
        }
        for target in destination { take(target) { $0.name == target.name } }
        for target in destination where target.renamingIdentifier == nil {
            take(target) { $0.canonical == target.name }
        }
        return result
    }
}
