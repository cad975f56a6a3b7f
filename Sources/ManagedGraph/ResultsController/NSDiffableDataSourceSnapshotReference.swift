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
        /// The places of the items; nil until one is looked up.
        private var places: Places?
        private var reloadedItems = IdentifierList()
        private var reconfiguredItems = IdentifierList()
        private var reloadedSections = IdentifierList()

        /// Creates an empty snapshot.
        public override init() {
            super.init()
        }

        init(reloaded: [AnyHashable], _ source: @escaping () -> [Section]) {
            self.source = source
            reloadedItems = IdentifierList(reloaded)
            super.init()
        }

        /// Whether the contents were computed, for tests.
        var isMade: Bool { source == nil }

        final var content: [Section] {
            settle()
            return storage
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
        open var itemIdentifiers: [Any] { content.flatMap { $0.items.map(\.base) } }

        /// Items to be shown in newly created cells.
        open var reloadedItemIdentifiers: [Any] { reloadedItems.identifiers.map(\.base) }

        /// Items to be updated in their existing cells.
        open var reconfiguredItemIdentifiers: [Any] { reconfiguredItems.identifiers.map(\.base) }

        /// Sections to be reloaded.
        open var reloadedSectionIdentifiers: [Any] { reloadedSections.identifiers.map(\.base) }

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
            makePlaces()
            return places?.section(of: Self.hashable(itemIdentifier))?.base
        }

        /// The index of an item among all items; `NSNotFound` if it is not in the snapshot.
        ///
        /// O(sections), except for the first call, which is O(n).
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
            if let places { return places.index(ofSection: identifier) ?? NSNotFound }
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

        final func noteReloadedItems(_ identifiers: [Any]) { reloadedItems.add(identifiers.map(Self.hashable)) }

        final func noteReconfiguredItems(_ identifiers: [Any]) { reconfiguredItems.add(identifiers.map(Self.hashable)) }

        final func noteReloadedSections(_ identifiers: [Any]) { reloadedSections.add(identifiers.map(Self.hashable)) }

        /// Inserts items that the snapshot does not have, at the end of a section if no index is given.
        final func insert(_ items: [AnyHashable], inSection section: Int, at place: Int? = nil) {
            settle()
            let index = place ?? storage[section].items.count
            storage[section].items.insert(contentsOf: items, at: index)
            places?.note(items, in: storage[section].identifier, at: index)
        }

        /// Removes an item, of which the marks stay.
        final func removeItem(at place: (section: Int, item: Int)) -> AnyHashable {
            settle()
            let item = storage[place.section].items.remove(at: place.item)
            places?.forget(CollectionOfOne(item))
            return item
        }

        /// Removes items and their marks; ignores those that are not in the snapshot.
        final func removeItems(_ items: Set<AnyHashable>) {
            settle()
            // Each removal moves the rest of its section; beyond some, one pass over all items costs less.
            if items.count < 32 {
                for place in items.compactMap(place(of:)).sorted(by: { $0 > $1 }) { _ = removeItem(at: place) }
            } else {
                for section in storage.indices { storage[section].items.removeAll(where: items.contains) }
                places?.forget(items)
            }
            forgetMarks(ofItems: items)
        }

        /// Adds sections without items at the end.
        final func appendSections(_ sections: [Section]) {
            settle()
            storage += sections
            places?.noteSections(sections, at: storage.count - sections.count)
        }

        /// Changes the order of the sections, or inserts sections without items.
        final func arrangeSections(_ body: (inout [Section]) -> Void) {
            settle()
            body(&storage)
            places?.noteSections(storage)
        }

        /// Removes sections with their items, and the marks of both; ignores those that are not in the snapshot.
        final func removeSections(_ identifiers: Set<AnyHashable>) {
            settle()
            let items = Set(storage.lazy.filter { identifiers.contains($0.identifier) }.flatMap(\.items))
            storage.removeAll { identifiers.contains($0.identifier) }
            places?.forget(items)
            places?.noteSections(storage)
            forgetMarks(ofItems: items)
            reloadedSections.remove(identifiers)
        }

        private func forgetMarks(ofItems items: Set<AnyHashable>) {
            reloadedItems.remove(items)
            reconfiguredItems.remove(items)
        }

        /// Makes the places of the items, unless there are some.
        private func makePlaces() {
            if places == nil { places = Places(content) }
        }

        private func place(of item: AnyHashable) -> (section: Int, item: Int)? {
            makePlaces()
            return places?.place(of: item, in: storage)
        }
    }
#endif
