// Apple's initializers of NSSortDescriptor. Foundation marks them unavailable off Apple's systems, but an available one
// of a protocol extension wins, and it may return a subclass. Callers are the users of the package; the accessors
// below serve fetches and SQL.

import Foundation

/// Gives NSSortDescriptor the initializers that Foundation leaves out; no other type adopts it.
public protocol SortDescriptorMaking {}

extension NSSortDescriptor: SortDescriptorMaking {}

extension SortDescriptorMaking where Self: NSSortDescriptor {
    /// Sorts by a key path; texts by Unicode scalar values, nil first.
    ///
    /// - Parameters:
    ///   - key: the key path, such as `location.name`; nil for the objects themselves.
    ///   - ascending: false turns the order around.
    public init(key: String?, ascending: Bool) {
        self = Self.cast(KeySortDescriptor(key: key, ascending: ascending))
    }

    /// Sorts by a key path and a method of its values.
    ///
    /// - Parameters:
    ///   - key: the key path; nil for the objects themselves.
    ///   - ascending: false turns the order around.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` or
    ///     `localizedStandardCompare:`.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        let rule = selector.map { KeySortDescriptor.Rule.selector($0.name) }
        self = Self.cast(KeySortDescriptor(key: key, ascending: ascending, rule: rule))
    }

    /// Sorts by a key path and a method of its values, named by a text.
    public init(key: String?, ascending: Bool, selector: String) {
        self.init(key: key, ascending: ascending, selector: Selector(selector))
    }

    /// Sorts by a key path and a closure that compares its values; nil is first and never given to the closure.
    public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self = Self.cast(KeySortDescriptor(key: key, ascending: ascending, rule: .comparator(comparator)))
    }

    /// Sorts by a Swift key path of a class that names its properties, as managed object classes do.
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        let name = ManagedKeyPaths.name(of: keyPath)
        guard name != nil || Root.self is AnyClass else {
            let rule = KeySortDescriptor.Rule.comparator { a, b in
                guard let a = a as? Root, let b = b as? Root else { return .orderedSame }
                let first = EvaluatedValue(a[keyPath: keyPath])
                return first.sortOrder(against: EvaluatedValue(b[keyPath: keyPath]), .plain)
            }
            self = Self.cast(KeySortDescriptor(key: nil, ascending: ascending, rule: rule, keyPath: keyPath))
            return
        }
        self = Self.cast(KeySortDescriptor(key: name, ascending: ascending, keyPath: keyPath))
    }

    /// The key path by which objects are sorted.
    public var key: String? { sortKey }

    /// The method that compares the values, if one was named.
    public var selector: Selector? { sortSelector.map { Selector($0) } }

    static func cast(_ made: KeySortDescriptor) -> Self {
        guard let result = made as? Self else {
            fatalError("A sort descriptor by key is an NSSortDescriptor, not a \(Self.self).")
        }
        return result
    }
}

extension NSSortDescriptor {
    /// The key path in text form; nil for the objects themselves or where a Swift key path has no name.
    package var sortKey: String? {
        if let descriptor = self as? KeySortDescriptor { return descriptor.storedKey }
        return ManagedKeyPaths.name(of: keyPath)
    }

    /// Whether small values come first.
    package var isAscending: Bool { ascending }

    /// The name of the method that compares the values, if one was given.
    package var sortSelector: String? {
        if case .selector(let name)? = (self as? KeySortDescriptor)?.rule { return name }
        return nil
    }

    /// Whether a closure compares the values, which SQL cannot.
    package var hasComparator: Bool {
        guard let descriptor = self as? KeySortDescriptor else { return sortKey == nil }
        switch descriptor.rule {
        case .comparator?, .whole?: return true
        case .selector?, nil: return false
        }
    }

    /// The Swift key path of a descriptor that was made of one and found no name for it.
    package var unnamedKeyPath: AnyKeyPath? { sortKey == nil ? (self as? KeySortDescriptor)?.givenKeyPath : nil }
}

extension Sequence {
    /// The elements in the order of sort descriptors; equal elements keep their order.
    public func sorted(using descriptors: [NSSortDescriptor]) -> [Element] {
        let allKeyed = descriptors.compactMap { $0 as? KeySortDescriptor }
        guard allKeyed.count == descriptors.count else { return sortedByComparing(descriptors) }
        let keyed = allKeyed.filter { $0.isAllowed() }
        // Reading a key costs more than comparing two values, so each is read once.
        let rows = map { element in (element: element, keys: keyed.map { $0.value(of: element) }) }
        let sorted = rows.sorted { a, b in
            for (index, descriptor) in keyed.enumerated() {
                let order = descriptor.valueOrder(a.keys[index], b.keys[index])
                if order != .orderedSame { return (order == .orderedAscending) == descriptor.ascending }
            }
            return false
        }
        return sorted.map(\.element)
    }

    private func sortedByComparing(_ descriptors: [NSSortDescriptor]) -> [Element] {
        sorted { a, b in
            for descriptor in descriptors {
                let order = descriptor.compare(a, to: b)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return false
        }
    }
}
