// Changing a snapshot. Each method takes O(n) for the table of items, which is made again when it is next needed.
#if !canImport(UIKit) && !canImport(AppKit)
    import Foundation

    extension NSDiffableDataSourceSnapshotReference {
        // MARK: Items

        /// Adds items to the end of the last section.
        ///
        /// - Parameter identifiers: The items; none may be there already.
        public func appendItems(withIdentifiers identifiers: [Any]) {
            precondition(!content.isEmpty, "The snapshot has no section to put items in: append one first.")
            content[content.count - 1].items += newItems(identifiers)
        }

        /// Adds items to the end of a section.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be there already.
        ///   - sectionIdentifier: The section.
        public func appendItems(
            withIdentifiers identifiers: [Any],
            intoSectionWithIdentifier sectionIdentifier: Any
        ) {
            content[requireSection(sectionIdentifier)].items += newItems(identifiers)
        }

        /// Puts items before another.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be there already.
        ///   - itemIdentifier: The item that follows them.
        public func insertItems(withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any) {
            let place = requirePlace(itemIdentifier)
            content[place.section].items.insert(contentsOf: newItems(identifiers), at: place.item)
        }

        /// Puts items behind another.
        ///
        /// - Parameters:
        ///   - identifiers: The items; none may be there already.
        ///   - itemIdentifier: The item that they follow.
        public func insertItems(withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any) {
            let place = requirePlace(itemIdentifier)
            content[place.section].items.insert(contentsOf: newItems(identifiers), at: place.item + 1)
        }

        /// Takes items out; those that are not there are passed over.
        ///
        /// - Parameter identifiers: The items.
        public func deleteItems(withIdentifiers identifiers: [Any]) {
            let gone = Set(identifiers.map(Self.hashable))
            var sections = content
            for index in sections.indices { sections[index].items.removeAll(where: gone.contains) }
            content = sections
            forget(items: gone)
        }

        /// Takes all items and sections out.
        public func deleteAllItems() {
            forget(items: Set(content.flatMap(\.items)))
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

        /// Moves an item behind another.
        ///
        /// - Parameters:
        ///   - fromIdentifier: The item.
        ///   - toIdentifier: The item that it follows.
        public func moveItem(withIdentifier fromIdentifier: Any, afterItemWithIdentifier toIdentifier: Any) {
            move(fromIdentifier, toIdentifier, offset: 1)
        }

        /// Marks items that are to be shown anew, in cells made anew.
        ///
        /// - Parameter identifiers: The items.
        public func reloadItems(withIdentifiers identifiers: [Any]) {
            for identifier in identifiers { _ = requirePlace(identifier) }
            noteReloadedItems(identifiers)
        }

        /// Marks items that are to be shown anew in the cells they have.
        ///
        /// - Parameter identifiers: The items.
        public func reconfigureItems(withIdentifiers identifiers: [Any]) {
            for identifier in identifiers { _ = requirePlace(identifier) }
            noteReconfiguredItems(identifiers)
        }

        // MARK: Sections

        /// Adds sections at the end.
        ///
        /// - Parameter sectionIdentifiers: The sections; none may be there already.
        public func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
            content += newSections(sectionIdentifiers)
        }

        /// Puts sections before another.
        ///
        /// - Parameters:
        ///   - sectionIdentifiers: The sections; none may be there already.
        ///   - toSectionIdentifier: The section that follows them.
        public func insertSections(
            withIdentifiers sectionIdentifiers: [Any],
            beforeSectionWithIdentifier toSectionIdentifier: Any
        ) {
            let place = requireSection(toSectionIdentifier)
            content.insert(contentsOf: newSections(sectionIdentifiers), at: place)
        }

        /// Puts sections behind another.
        ///
        /// - Parameters:
        ///   - sectionIdentifiers: The sections; none may be there already.
        ///   - toSectionIdentifier: The section that they follow.
        public func insertSections(
            withIdentifiers sectionIdentifiers: [Any],
            afterSectionWithIdentifier toSectionIdentifier: Any
        ) {
            let place = requireSection(toSectionIdentifier)
            content.insert(contentsOf: newSections(sectionIdentifiers), at: place + 1)
        }

        /// Takes sections out with their items; those that are not there are passed over.
        ///
        /// - Parameter sectionIdentifiers: The sections.
        public func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
            let gone = Set(sectionIdentifiers.map(Self.hashable))
            forget(items: Set(content.filter { gone.contains($0.identifier) }.flatMap(\.items)))
            content.removeAll { gone.contains($0.identifier) }
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

        /// Moves a section behind another.
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

        /// Marks sections that are to be shown anew.
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
