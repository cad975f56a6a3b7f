// Checks that a keyed archive has the structure that an archiver writes. Called before Foundation's unarchiver, which
// traps on some malformed archives.

extension KeyedArchive {
    /// Whether each object has a class or is a plain value, and each reference refers to an object.
    ///
    /// O(n) in the archive.
    package var isSound: Bool {
        top.values.allSatisfy { leadsToObjects($0) }
            && objects.allSatisfy { object in
                guard case .dictionary(let entries) = object else {
                    if case .array = object { return false }
                    return true
                }
                if Self.classes(in: entries) != nil { return true }
                guard case .reference(let type)? = entries["$class"], isClass(type) else { return false }
                return entries.allSatisfy { $0.key == "$class" || leadsToObjects($0.value) }
            }
    }

    private func isClass(_ number: Int) -> Bool {
        guard objects.indices.contains(number), case .dictionary(let entries) = objects[number] else { return false }
        return Self.classes(in: entries)?.isEmpty == false && entries["$classname"] != nil
    }

    private func leadsToObjects(_ value: ListValue) -> Bool {
        switch value {
        case .reference(let number): objects.indices.contains(number) && !isClass(number)
        case .array(let members): members.allSatisfy { leadsToObjects($0) }
        case .dictionary(let entries): entries.values.allSatisfy { leadsToObjects($0) }
        default: true
        }
    }
}
