// A list as it was at a moment, for snapshots that nobody may ever read and for readers who must not see a change yet.
// Made by SectionedList, which tells it before each change what is about to change: making one costs nothing, and a
// change only the part of the list that it touches.
import GraphPredicates

/// The content that a list had.
final class FrozenList<Object: AnyObject> {
    private let rules: ListRules<Object>
    private let sections: [ListSection<Object>]
    /// The leaves of sections that have changed since.
    private var formerLeaves: [ObjectIdentifier: [ListLeaf<Object>]] = [:]
    /// The objects of leaves that have changed since.
    private var formerObjects: [ObjectIdentifier: ContiguousArray<Object>] = [:]

    /// The content as a list of its own.
    ///
    /// O(n) for the first time.
    private(set) lazy var list: SectionedList<Object> = {
        let content = content
        return SectionedList(
            content.flatMap(\.items),
            known: content.map { (name: $0.name, count: $0.items.count) },
            rules: rules
        )
    }()

    /// For tests.
    var numberOfKeptLeaves: Int { formerObjects.count }

    init(_ list: SectionedList<Object>) {
        rules = list.rules
        sections = list.sections
    }

    /// The names of the sections and their objects.
    ///
    /// O(n).
    var content: [(name: String, items: [Object])] {
        sections.map { section in
            let leaves = formerLeaves[ObjectIdentifier(section)] ?? section.leaves
            return (section.name, leaves.flatMap { formerObjects[ObjectIdentifier($0)] ?? $0.objects })
        }
    }

    /// Keeps what a change will overwrite.
    func willChange(_ section: ListSection<Object>) {
        if formerLeaves[ObjectIdentifier(section)] == nil {
            formerLeaves[ObjectIdentifier(section)] = section.leaves
        }
    }

    /// Keeps what a change will overwrite.
    func willChange(_ leaf: ListLeaf<Object>) {
        willChange(leaf.section)
        if formerObjects[ObjectIdentifier(leaf)] == nil { formerObjects[ObjectIdentifier(leaf)] = leaf.objects }
    }
}

/// Refers to a frozen list as long as anyone else holds it.
struct FrozenReference<Object: AnyObject> {
    weak var list: FrozenList<Object>?
}
