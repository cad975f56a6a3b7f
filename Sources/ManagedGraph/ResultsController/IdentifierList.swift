// Identifiers that a snapshot marks. Held by NSDiffableDataSourceSnapshotReference.
#if !canImport(UIKit) && !canImport(AppKit)
    /// Identifiers in the order in which they came, each of them once.
    struct IdentifierList {
        private(set) var identifiers: [AnyHashable]
        /// Made when an identifier is first added.
        private var set: Set<AnyHashable>?

        init(_ identifiers: [AnyHashable] = []) { self.identifiers = identifiers }

        /// Adds those that are not in the list.
        mutating func add(_ newIdentifiers: [AnyHashable]) {
            var set = self.set ?? Set(identifiers)
            self.set = nil
            for identifier in newIdentifiers where set.insert(identifier).inserted { identifiers.append(identifier) }
            self.set = set
        }

        /// Removes those that are in a set; O(list).
        mutating func remove(_ removed: Set<AnyHashable>) {
            if identifiers.isEmpty || removed.isEmpty { return }
            identifiers.removeAll(where: removed.contains)
            set?.subtract(removed)
        }
    }
#endif
