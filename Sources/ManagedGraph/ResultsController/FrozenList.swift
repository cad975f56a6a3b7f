// A copy-on-write snapshot of a list, for delegates that may never read it and for readers that must not see a change
// yet. Created by SectionedList, which notifies it before each change. Creation is O(1); a change copies only the
// leaves it touches.

/// The content of a list at one point in time.
final class FrozenList {
    private let rules: ListRules
    private let sections: [ListSection]
    /// The original leaves of sections that have changed since.
    private var formerLeaves: [ObjectIdentifier: [ListLeaf]] = [:]
    /// The original objects of leaves that have changed since.
    private var formerObjects: [ObjectIdentifier: ContiguousArray<NSManagedObject>] = [:]

    /// The content as an independent list.
    ///
    /// O(n) on first access.
    private(set) lazy var list: SectionedList = {
        let content = content
        return SectionedList(
            content.flatMap(\.items),
            known: content.map { (name: $0.name, count: $0.items.count) },
            rules: rules
        )
    }()

    /// The number of leaves that were copied, for tests.
    var numberOfKeptLeaves: Int { formerObjects.count }

    init(_ list: SectionedList) {
        rules = list.rules
        sections = list.sections
    }

    /// The names of the sections and their objects.
    ///
    /// O(n).
    var content: [(name: String, items: [NSManagedObject])] {
        sections.map { section in
            let leaves = formerLeaves[ObjectIdentifier(section)] ?? section.leaves
            return (section.name, leaves.flatMap { formerObjects[ObjectIdentifier($0)] ?? $0.objects })
        }
    }

    /// Saves the leaves of a section before a change.
    func willChange(_ section: ListSection) {
        if formerLeaves[ObjectIdentifier(section)] == nil {
            formerLeaves[ObjectIdentifier(section)] = section.leaves
        }
    }

    /// Saves the objects of a leaf before a change.
    func willChange(_ leaf: ListLeaf) {
        willChange(leaf.section)
        if formerObjects[ObjectIdentifier(leaf)] == nil { formerObjects[ObjectIdentifier(leaf)] = leaf.objects }
    }
}
