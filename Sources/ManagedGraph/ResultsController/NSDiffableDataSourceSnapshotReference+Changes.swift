// Changes of a snapshot. Each takes O(items of the changed section) at most, the first one O(n) for the places of all.
#if !canImport(UIKit) && !canImport(AppKit)
    import Foundation

    extension NSDiffableDataSourceSnapshotReference {
        // MARK: Items

        /// Adds items to the end of the last section.
        ///
        /// - Parameter identifiers: The items; none may be in the snapshot already.
        public func appendItems(withIdentifiers identifiers: [Any]) {
            precondition(!content.isEmpty, "The snapshot has no section to put items in: append one first.")
            insert(newItems(identifiers), inSection: numberOfSections - 1)
        }

        /// Adds items to the end of a section.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be in the snapshot already.
        ///   - sectionIdentifier: The section.
        public func appendItems(
            withIdentifiers identifiers: [Any],
            intoSectionWithIdentifier sectionIdentifier: Any
        ) {
            let section = requireSection(sectionIdentifier)
            insert(newItems(identifiers), inSection: section)
        }

        /// Inserts items before another.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be in the snapshot already.
        ///   - itemIdentifier: The item that follows them.
        public func insertItems(withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any) {
            let place = requirePlace(itemIdentifier)
            insert(newItems(identifiers), inSection: place.section, at: place.item)
        }

        /// Inserts items after another.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be in the snapshot already.
        ///   - itemIdentifier: The item that they follow.
        public func insertItems(withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any) {
            let place = requirePlace(itemIdentifier)
            insert(newItems(identifiers), inSection: place.section, at: place.item + 1)
        }

        /// Removes items; ignores those that are not in the snapshot.
        ///
        /// - Parameter identifiers: The items.
        public func deleteItems(withIdentifiers identifiers: [Any]) {
            removeItems(Set(identifiers.map(Self.hashable)))
        }

        /// Removes all items and sections.
        public func deleteAllItems() {
            removeSections(Set(content.map(\.identifier)))
        }

        /// Moves an item before another.
        ///
        /// - Parameters:
        ///   - fromIdentifier: The item.
        ///   - toIdentifier: The item that follows it.
        public func moveItem(withIdentifier fromIdentifier: Any, beforeItemWithIdentifier toIdentifier: Any) {
            move(fromIdentifier, toIdentifier, offset: 0)
        }

        /// Moves an item after another.
        ///
        /// - Parameters:
        ///   - fromIdentifier: The item.
        ///   - toIdentifier: The item that it follows.
        public func moveItem(withIdentifier fromIdentifier: Any, afterItemWithIdentifier toIdentifier: Any) {
            move(fromIdentifier, toIdentifier, offset: 1)
        }

        /// Marks items to be shown in newly created cells.
        ///
        /// - Parameter identifiers: The items.
        public func reloadItems(withIdentifiers identifiers: [Any]) {
            for identifier in identifiers { _ = requirePlace(identifier) }
            noteReloadedItems(identifiers)
        }

        /// Marks items to be updated in their existing cells.
        ///
        /// - Parameter identifiers: The items.
        public func reconfigureItems(withIdentifiers identifiers: [Any]) {
            for identifier in identifiers { _ = requirePlace(identifier) }
            noteReconfiguredItems(identifiers)
        }

        // MARK: Sections

        /// Adds sections at the end.
        ///
        /// - Parameter sectionIdentifiers: The sections; none may be in the snapshot already.
        public func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
            appendSections(newSections(sectionIdentifiers))
        }

        /// Inserts sections before another.
        ///
        /// - Parameters:
        ///   - sectionIdentifiers: The sections; none may be in the snapshot already.
        ///   - toSectionIdentifier: The section that follows them.
        public func insertSections(
            withIdentifiers sectionIdentifiers: [Any],
            beforeSectionWithIdentifier toSectionIdentifier: Any
        ) {
            let place = requireSection(toSectionIdentifier)
            let sections = newSections(sectionIdentifiers)
            arrangeSections { $0.insert(contentsOf: sections, at: place) }
        }

        /// Inserts sections after another.
        ///
        /// - Parameters:
        ///   - sectionIdentifiers: The sections; none may be in the snapshot already.
        ///   - toSectionIdentifier: The section that they follow.
        public func insertSections(
            withIdentifiers sectionIdentifiers: [Any],
            afterSectionWithIdentifier toSectionIdentifier: Any
        ) {
            let place = requireSection(toSectionIdentifier)
            let sections = newSections(sectionIdentifiers)
            arrangeSections { $0.insert(contentsOf: sections, at: place + 1) }
        }

        /// Removes sections with their items; ignores those that are not in the snapshot.
        ///
        /// - Parameter sectionIdentifiers: The sections.
        public func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
            removeSections(Set(sectionIdentifiers.map(Self.hashable)))
        }

        /// Moves a section before another.
        ///
        /// - Parameters:
        ///   - fromSectionIdentifier: The section.
        ///   - toSectionIdentifier: The section that follows it.
        public func moveSection(
            withIdentifier fromSectionIdentifier: Any,
            beforeSectionWithIdentifier toSectionIdentifier: Any
        ) {
            moveSection(fromSectionIdentifier, toSectionIdentifier, offset: 0)
        }

        /// Moves a section after another.
        ///
        /// - Parameters:
        ///   - fromSectionIdentifier: The section.
        ///   - toSectionIdentifier: The section that it follows.
        public func moveSection(
            withIdentifier fromSectionIdentifier: Any,
            afterSectionWithIdentifier toSectionIdentifier: Any
        ) {
            moveSection(fromSectionIdentifier, toSectionIdentifier, offset: 1)
        }

        /// Marks sections to be reloaded.
        ///
        /// - Parameter sectionIdentifiers: The sections.
        public func reloadSections(withIdentifiers sectionIdentifiers: [Any]) {
            for identifier in sectionIdentifiers { _ = requireSection(identifier) }
            noteReloadedSections(sectionIdentifiers)
        }

        // MARK: Parts

        private func newItems(_ identifiers: [Any]) -> [AnyHashable] {
            var seen: Set<AnyHashable> = []
            return identifiers.map { identifier in
                let item = Self.hashable(identifier)
                precondition(
                    sectionIdentifierForSection(containingItemIdentifier: item) == nil && seen.insert(item).inserted,
                    "The snapshot has the item \(item) already."
                )
                return item
            }
        }

        private func newSections(_ identifiers: [Any]) -> [Section] {
            identifiers.map { identifier in
                precondition(
                    index(ofSectionIdentifier: identifier) == NSNotFound,
                    "The snapshot has the section \(identifier) already."
                )
                return Section(identifier: Self.hashable(identifier), items: [])
            }
        }

        /// Moves an item beside another; one beside itself stays.
        private func move(_ identifier: Any, _ neighbour: Any, offset: Int) {
            let place = requirePlace(identifier)
            if requirePlace(neighbour) == place { return }
            let item = removeItem(at: place)
            let to = requirePlace(neighbour)
            insert([item], inSection: to.section, at: to.item + offset)
        }

        /// Moves a section beside another; one beside itself stays.
        private func moveSection(_ identifier: Any, _ neighbour: Any, offset: Int) {
            let (from, to) = (requireSection(identifier), requireSection(neighbour))
            if from == to { return }
            arrangeSections { $0.insert($0.remove(at: from), at: (from < to ? to - 1 : to) + offset) }
        }
    }
#endif
