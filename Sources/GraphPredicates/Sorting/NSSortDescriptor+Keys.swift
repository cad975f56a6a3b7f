// Apple's initializers of NSSortDescriptor. Foundation marks them unavailable outside Apple's platforms, but overload
// resolution prefers an available one of a protocol extension, and it may return a subclass. Called by apps; fetches
// and SQL use the accessors.

import Foundation

/// Adds the initializers that Foundation lacks to NSSortDescriptor; no other type conforms.
public protocol SortDescriptorMaking {}

extension NSSortDescriptor: SortDescriptorMaking {}

extension SortDescriptorMaking where Self: NSSortDescriptor {
    /// Sorts by a key path; texts by Unicode scalar values, nil first.
    ///
    /// - Parameters:
    ///   - key: The key path, such as `location.name`; nil for the objects themselves.
    ///   - ascending: false reverses the order.
    public init(key: String?, ascending: Bool) {
        self = Self.cast(KeySortDescriptor(key: key, ascending: ascending))
    }

    /// Sorts by a key path and a method of its values.
    ///
    /// - Parameters:
    ///   - key: The key path; nil for the objects themselves.
    ///   - ascending: false reverses the order.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` or
    ///     `localizedStandardCompare:`.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        let rule = selector.map { KeySortDescriptor.Rule.selector($0.name) }
        self = Self.cast(KeySortDescriptor(key: key, ascending: ascending, rule: rule))
    }

    /// Sorts by a key path and a method of its values, passed as a string.
    public init(key: String?, ascending: Bool, selector: String) {
        self.init(key: key, ascending: ascending, selector: Selector(selector))
    }

    /// Sorts by a key path and a closure that compares its values; nil is first and never passed to the closure.
    public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self = Self.cast(KeySortDescriptor(key: key, ascending: ascending, rule: .comparator(comparator)))
    }

    /// Sorts by a Swift key path of a class that provides the names of its properties, as managed object classes do.
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

    /// The key path that objects are sorted by.
    public var key: String? { sortKey }

    /// The method that compares the values, if one was specified.
    public var selector: Selector? { sortSelector.map { Selector($0) } }

    static func cast(_ descriptor: KeySortDescriptor) -> Self {
        guard let result = descriptor as? Self else {
            fatalError("A sort descriptor by key is an NSSortDescriptor, not a \(Self.self).")
        }
        return result
    }
}

extension NSSortDescriptor {
    /// The key path in text form; nil for the objects themselves or if a Swift key path has no name.
    package var sortKey: String? {
        if let descriptor = self as? KeySortDescriptor { return descriptor.storedKey }
        return ManagedKeyPaths.name(of: keyPath)
    }

    /// Whether small values come first.
    package var isAscending: Bool { ascending }

    /// The name of the method that compares the values, if one was specified.
    package var sortSelector: String? {
        if case .selector(let name)? = (self as? KeySortDescriptor)?.rule { return name }
        return nil
    }

    /// Whether a closure compares the values, which SQL does not support.
    package var hasComparator: Bool {
        guard let descriptor = self as? KeySortDescriptor else { return sortKey == nil }
        switch descriptor.rule {
        case .comparator?, .whole?: return true
        case .selector?, nil: return false
        }
    }

    /// The Swift key path of a descriptor that was created with one that has no name.
    package var unnamedKeyPath: AnyKeyPath? { sortKey == nil ? (self as? KeySortDescriptor)?.givenKeyPath : nil }
}

extension Sequence {
    /// Sorts the elements by sort descriptors; equal elements keep their order.
    public func sorted(using descriptors: [NSSortDescriptor]) -> [Element] {
        let allKeyed = descriptors.compactMap { $0 as? KeySortDescriptor }
        guard allKeyed.count == descriptors.count else { return sortedByComparing(descriptors) }
        let keyed = allKeyed.filter { $0.isAllowed() }
        // Reading a key costs more than comparing two values, so each is read once.
        let elements = Array(self)
        let columns = keyed.map { SortColumn($0, of: elements) }
        let places = elements.indices.sorted { first, second in
            for column in columns {
                let result = column.compare(first, second)
                if result != .orderedSame { return result == .orderedAscending }
            }
            return first < second
        }
        return places.map { elements[$0] }
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
