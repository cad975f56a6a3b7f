// Changes of a snapshot. Each method takes O(n) for the table of items, which is rebuilt when it is next needed.
#if !canImport(UIKit) && !canImport(AppKit)
    import Foundation

    extension NSDiffableDataSourceSnapshotReference {
        // MARK: Items

        /// Adds items to the end of the last section.
        ///
        /// - Parameter identifiers: The items; none may be in the snapshot already.
        public func appendItems(withIdentifiers identifiers: [Any]) {
            precondition(!content.isEmpty, "The snapshot has no section to put items in: append one first.")
            content[content.count - 1].items += newItems(identifiers)
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
            content[requireSection(sectionIdentifier)].items += newItems(identifiers)
        }

        /// Inserts items before another.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be in the snapshot already.
        ///   - itemIdentifier: The item that follows them.
        public func insertItems(withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any) {
            let place = requirePlace(itemIdentifier)
            content[place.section].items.insert(contentsOf: newItems(identifiers), at: place.item)
        }

        /// Inserts items after another.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be in the snapshot already.
        ///   - itemIdentifier: The item that they follow.
        public func insertItems(withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any) {
            let place = requirePlace(itemIdentifier)
            content[place.section].items.insert(contentsOf: newItems(identifiers), at: place.item + 1)
        }

        /// Removes items; ignores those that are not in the snapshot.
        ///
        /// - Parameter identifiers: The items.
        public func deleteItems(withIdentifiers identifiers: [Any]) {
            let items = Set(identifiers.map(Self.hashable))
            var sections = content
            for index in sections.indices { sections[index].items.removeAll(where: items.contains) }
            content = sections
            forget(items: items)
        }

        /// Removes all items and sections.
        public func deleteAllItems() {
            forget(items: Set(content.flatMap(\.items)), sections: Set(content.map(\.identifier)))
            content = []
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
            content += newSections(sectionIdentifiers)
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
            content.insert(contentsOf: newSections(sectionIdentifiers), at: place)
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
            content.insert(contentsOf: newSections(sectionIdentifiers), at: place + 1)
        }

        /// Removes sections with their items; ignores those that are not in the snapshot.
        ///
        /// - Parameter sectionIdentifiers: The sections.
        public func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
            let sections = Set(sectionIdentifiers.map(Self.hashable))
            forget(items: Set(content.filter { sections.contains($0.identifier) }.flatMap(\.items)), sections: sections)
            content.removeAll { sections.contains($0.identifier) }
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
            let section = content.remove(at: requireSection(fromSectionIdentifier))
            content.insert(section, at: requireSection(toSectionIdentifier))
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
            let section = content.remove(at: requireSection(fromSectionIdentifier))
            content.insert(section, at: requireSection(toSectionIdentifier) + 1)
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

        private func move(_ identifier: Any, _ neighbour: Any, offset: Int) {
            let from = requirePlace(identifier)
            let item = content[from.section].items.remove(at: from.item)
            let to = requirePlace(neighbour)
            content[to.section].items.insert(item, at: to.item + offset)
        }
    }
#endif
