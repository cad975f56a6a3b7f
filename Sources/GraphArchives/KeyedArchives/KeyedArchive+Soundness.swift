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

    /// Whether Foundation can decode the archive in bounded time and memory.
    ///
    /// Foundation copies a collection for each reference to it, so that an archive of some hundred bytes could fill any
    /// memory. Decoding collections in collections takes time that grows with the third power of their depth, and
    /// decoding an object that contains itself does not end. Archivers write equal small values once, with many
    /// references to them, for which the limit has room.
    ///
    /// O(n) in the archive.
    package var isBoundedTree: Bool {
        let limit = 50_000 + 16 * objects.count
        var trees = [Tree?](repeating: nil, count: objects.count)
        for root in top.values.flatMap({ references(in: $0) }) {
            var path: [(number: Int, children: ArraySlice<Int>, tree: Tree)] = []
            func enter(_ number: Int) {
                trees[number] = .unfinished
                path.append((number, references(in: objects[number])[...], Tree(size: 1, depth: 0)))
            }
            if trees[root] == nil { enter(root) }
            while var last = path.popLast() {
                var isWaiting = false
                while let child = last.children.first {
                    guard let tree = trees[child] else {
                        path.append(last)
                        enter(child)
                        isWaiting = true
                        break
                    }
                    guard tree.size > 0 else { return false }
                    last.children.removeFirst()
                    last.tree.size += tree.size
                    last.tree.depth = max(last.tree.depth, tree.depth)
                    guard last.tree.size <= limit else { return false }
                }
                guard !isWaiting else { continue }
                last.tree.depth = isCollection(last.number) ? last.tree.depth + 1 : 0
                guard last.tree.depth <= Self.collectionDepth else { return false }
                trees[last.number] = last.tree
            }
        }
        return true
    }

    /// The size of the tree that decoding an object makes.
    private struct Tree {
        /// The number of objects, each counted once for each reference.
        var size: Int
        /// The number of collections directly inside each other, from the object downwards.
        var depth: Int

        /// Marks an object whose parts are being visited: a reference to it from one of them is a cycle.
        static let unfinished = Tree(size: 0, depth: 0)
    }

    /// Foundation takes 0.7 seconds for collections that are nested 32 times, and 11 for 64.
    private static let collectionDepth = 32

    private func isCollection(_ number: Int) -> Bool {
        guard case .dictionary(let entries) = objects[number] else { return false }
        return entries["NS.objects"] != nil
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
