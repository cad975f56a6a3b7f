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

    /// Whether the archive's objects are a tree of bounded size, if each reference had a copy of its object.
    ///
    /// Foundation gives each reference to a collection a copy of its elements, so that an archive of some hundred bytes could
    /// fill any memory. Objects to which many references lead are usual for small values; so the limit has room for them.
    ///
    /// O(n) in the archive.
    package var isBoundedTree: Bool {
        let limit = 50_000 + 16 * objects.count
        /// The size of the tree below each object; nil before it is known, 1 while it is computed, so that cycles end.
        var sizes = [Int?](repeating: nil, count: objects.count)
        for root in top.values.flatMap({ references(in: $0) }) {
            var path: [(number: Int, children: ArraySlice<Int>, size: Int)] = []
            func enter(_ number: Int) {
                sizes[number] = 1
                path.append((number, references(in: objects[number])[...], 1))
            }
            if sizes[root] == nil { enter(root) }
            while var last = path.popLast() {
                var isWaiting = false
                while let child = last.children.first {
                    guard let size = sizes[child] else {
                        path.append(last)
                        enter(child)
                        isWaiting = true
                        break
                    }
                    last.children.removeFirst()
                    last.size += size
                    guard last.size <= limit else { return false }
                }
                if !isWaiting { sizes[last.number] = last.size }
            }
        }
        return true
    }

    /// The objects to which a value refers, with repetitions.
    private func references(in value: ListValue) -> [Int] {
        switch value {
        case .reference(let number): objects.indices.contains(number) ? [number] : []
        case .array(let members): members.flatMap { references(in: $0) }
        case .dictionary(let entries): entries.values.flatMap { references(in: $0) }
        default: []
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
