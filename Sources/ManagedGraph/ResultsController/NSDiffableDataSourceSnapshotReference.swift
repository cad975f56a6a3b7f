// The UIKit and AppKit class, for platforms without them: the value that a results controller passes to the snapshot
// method of its delegate. A plain data structure, independent of contexts.
#if !canImport(UIKit) && !canImport(AppKit)
    import Foundation

    /// The identifiers of sections and their items, in order.
    ///
    /// A results controller creates one with the names of its sections and the IDs of its objects; changed objects are
    /// among `reloadedItemIdentifiers`. The receiver may modify it. Identifiers are hashable and unique. The contents
    /// are computed on first access, at the latest when the delegate's method returns. See
    /// [NSDiffableDataSourceSnapshotReference](https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshotreference).
    open class NSDiffableDataSourceSnapshotReference: NSObject {
        struct Section {
            var identifier: AnyHashable
            var items: [AnyHashable]
        }

        /// Guards the source, which reads the controller's list: a delegate may pass the snapshot to another queue.
        private let sourceLock = NSLock()
        private var source: (() -> [Section])?
        private var storage: [Section] = []
        /// The section of each item; nil if it must be recomputed.
        private var sectionOfItem: [AnyHashable: AnyHashable]?
        private var reloadedItems: [AnyHashable] = []
        private var reconfiguredItems: [AnyHashable] = []
        private var reloadedSections: [AnyHashable] = []

        /// Creates an empty snapshot.
        public override init() {
            super.init()
        }

        init(reloaded: [AnyHashable], _ source: @escaping () -> [Section]) {
            self.source = source
            reloadedItems = reloaded
            super.init()
        }

        /// Whether the contents were computed, for tests.
        var isMade: Bool { source == nil }

        final var content: [Section] {
            get {
                settle()
                return storage
            }
            set {
                sourceLock.withLock { source = nil }
                storage = newValue
                sectionOfItem = nil
            }
        }

        /// Computes the contents, unless that was done; later changes of the list do not matter then.
        final func settle() {
            sourceLock.withLock {
                guard let source else { return }
                storage = source()
                self.source = nil
            }
        }

        /// The number of items in all sections.
        open var numberOfItems: Int { content.reduce(0) { $0 + $1.items.count } }

        /// The number of sections.
        open var numberOfSections: Int { content.count }

        /// The identifiers of the sections in order.
        open var sectionIdentifiers: [Any] { content.map(\.identifier.base) }

        /// The identifiers of all items in order.
        ///
        /// O(n).
        open var itemIdentifiers: [Any] { content.flatMap(\.items).map(\.base) }

        /// Items to be shown in newly created cells.
        open var reloadedItemIdentifiers: [Any] { reloadedItems.map(\.base) }

        /// Items to be updated in their existing cells.
        open var reconfiguredItemIdentifiers: [Any] { reconfiguredItems.map(\.base) }

        /// Sections to be reloaded.
        open var reloadedSectionIdentifiers: [Any] { reloadedSections.map(\.base) }

        /// The number of items of a section.
        ///
        /// - Parameter sectionIdentifier: The section; stops the program if it is not in the snapshot.
        /// - Returns: The number.
        open func numberOfItems(inSection sectionIdentifier: Any) -> Int {
            content[requireSection(sectionIdentifier)].items.count
        }

        /// The items of a section in order.
        ///
        /// - Parameter sectionIdentifier: The section; stops the program if it is not in the snapshot.
        /// - Returns: The identifiers.
        open func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
            content[requireSection(sectionIdentifier)].items.map(\.base)
        }

        /// The section of an item; nil if the item is not in the snapshot.
        ///
        /// O(1), except for the first call, which is O(n).
        ///
        /// - Parameter itemIdentifier: The item.
        /// - Returns: The section's identifier.
        open func sectionIdentifierForSection(containingItemIdentifier itemIdentifier: Any) -> Any? {
            section(of: Self.hashable(itemIdentifier))?.base
        }

        /// The index of an item among all items; `NSNotFound` if it is not in the snapshot.
        ///
        /// O(sections + items of the item's section).
        ///
        /// - Parameter itemIdentifier: The item.
        /// - Returns: The index.
        open func index(ofItemIdentifier itemIdentifier: Any) -> Int {
            guard let place = place(of: Self.hashable(itemIdentifier)) else { return NSNotFound }
            return content[..<place.section].reduce(0) { $0 + $1.items.count } + place.item
        }

        /// The index of a section; `NSNotFound` if it is not in the snapshot.
        ///
        /// - Parameter sectionIdentifier: The section.
        /// - Returns: The index.
        open func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
            let identifier = Self.hashable(sectionIdentifier)
            return content.firstIndex { $0.identifier == identifier } ?? NSNotFound
        }

        // MARK: For NSDiffableDataSourceSnapshotReference+Changes.swift

        static func hashable(_ identifier: Any) -> AnyHashable {
            guard let identifier = identifier as? AnyHashable else {
                preconditionFailure("An identifier of a snapshot must be hashable, which \(identifier) is not.")
            }
            return identifier
        }

        final func requireSection(_ identifier: Any) -> Int {
            let index = index(ofSectionIdentifier: identifier)
            precondition(index != NSNotFound, "The snapshot has no section \(identifier).")
            return index
        }

        final func requirePlace(_ identifier: Any) -> (section: Int, item: Int) {
            guard let place = place(of: Self.hashable(identifier)) else {
                preconditionFailure("The snapshot has no item \(identifier).")
            }
            return place
        }

        final func noteReloadedItems(_ identifiers: [Any]) {
            Self.add(identifiers, to: &reloadedItems)
        }

        final func noteReconfiguredItems(_ identifiers: [Any]) {
            Self.add(identifiers, to: &reconfiguredItems)
        }

        final func noteReloadedSections(_ identifiers: [Any]) {
            Self.add(identifiers, to: &reloadedSections)
        }

        final func forget(items: Set<AnyHashable>, sections: Set<AnyHashable> = []) {
            reloadedItems.removeAll(where: items.contains)
            reconfiguredItems.removeAll(where: items.contains)
            reloadedSections.removeAll(where: sections.contains)
        }

        private static func add(_ identifiers: [Any], to list: inout [AnyHashable]) {
            for identifier in identifiers.map(hashable) where !list.contains(identifier) { list.append(identifier) }
        }

        private func section(of item: AnyHashable) -> AnyHashable? {
            if let sectionOfItem { return sectionOfItem[item] }
            var table: [AnyHashable: AnyHashable] = [:]
            for section in content {
                for item in section.items { table[item] = section.identifier }
            }
            sectionOfItem = table
            return table[item]
        }

        private func place(of item: AnyHashable) -> (section: Int, item: Int)? {
            guard let identifier = section(of: item),
                let section = content.firstIndex(where: { $0.identifier == identifier }),
                let index = content[section].items.firstIndex(of: item)
            else { return nil }
            return (section, index)
        }
    }
#endif
