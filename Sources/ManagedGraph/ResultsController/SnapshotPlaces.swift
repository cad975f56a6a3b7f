// The places of a snapshot's items, kept up to date by its changes. Made by NSDiffableDataSourceSnapshotReference at the
// first look-up of an item.
#if !canImport(UIKit) && !canImport(AppKit)
    extension NSDiffableDataSourceSnapshotReference {
        /// The places of the items of a snapshot.
        ///
        /// An index is that at which an item was last seen. Items that came or went before it have moved it since, by a
        /// few places mostly, so that the search for it begins there.
        struct Places {
            private struct Place {
                var section: AnyHashable
                var index: Int
            }

            private var places: [AnyHashable: Place] = [:]
            private var indexOfSection: [AnyHashable: Int] = [:]

            init(_ sections: [Section]) {
                places.reserveCapacity(sections.reduce(0) { $0 + $1.items.count })
                for section in sections { note(section.items, in: section.identifier, at: 0) }
                noteSections(sections)
            }

            /// The section of an item; nil if the snapshot does not have it.
            func section(of item: AnyHashable) -> AnyHashable? { places[item]?.section }

            /// The index of a section.
            func index(ofSection identifier: AnyHashable) -> Int? { indexOfSection[identifier] }

            /// The place of an item; nil if the snapshot does not have it.
            ///
            /// O(items that came or went since the item was last looked up, in its section).
            mutating func place(of item: AnyHashable, in sections: [Section]) -> (section: Int, item: Int)? {
                guard let place = places[item], let section = indexOfSection[place.section] else { return nil }
                let items = sections[section].items
                var (before, after) = (min(place.index, items.count - 1), min(place.index, items.count - 1) + 1)
                while before >= 0 || after < items.count {
                    for index in [before, after] where items.indices.contains(index) && items[index] == item {
                        places[item]?.index = index
                        return (section, index)
                    }
                    before -= 1
                    after += 1
                }
                return nil
            }

            /// Notes new items, or items that have moved to another section.
            mutating func note(_ items: [AnyHashable], in section: AnyHashable, at index: Int) {
                for (offset, item) in items.enumerated() {
                    places[item] = Place(section: section, index: index + offset)
                }
            }

            /// Notes that items are no longer in the snapshot.
            mutating func forget(_ items: some Sequence<AnyHashable>) {
                for item in items { places[item] = nil }
            }

            /// Notes the order of the sections.
            mutating func noteSections(_ sections: [Section]) {
                indexOfSection.removeAll(keepingCapacity: true)
                for (index, section) in sections.enumerated() { indexOfSection[section.identifier] = index }
            }

            /// Notes sections that were added at the end.
            mutating func noteSections(_ sections: [Section], at index: Int) {
                for (offset, section) in sections.enumerated() { indexOfSection[section.identifier] = index + offset }
            }
        }
    }
#endif
