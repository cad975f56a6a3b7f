// The class of the sort descriptors that this module's initializers create. Immutable.

import Foundation
import Synchronization

/// A sort descriptor for a key path in text form.
final class KeySortDescriptor: NSSortDescriptor {
    /// The rule that orders two values of the key.
    enum Rule {
        case selector(String)
        case comparator(Comparator)
        /// Compares the objects themselves, for a Swift key path without a name.
        case whole(Comparator)
    }

    let storedKey: String?
    let rule: Rule?
    /// Set if the descriptor was decoded securely and evaluation has not been allowed.
    let isForbidden = Mutex(false)
    private let isUpward: Bool
    /// The order of texts that the rule names.
    let textSort: TextSort
    private let reader: KeyPathReader
    private let swiftKeyPath: AnyKeyPath?
    /// The slots of the key in objects that were compared before; retained.
    private let slots = Atomic<Unmanaged<SortedSlot>?>(nil)
    /// Whether the key is the name of one property, which may have a slot.
    private let isName: Bool

    init(key: String?, ascending: Bool, rule: Rule? = nil, keyPath: AnyKeyPath? = nil) {
        storedKey = key
        isUpward = ascending
        self.rule = rule
        if case .selector(let name)? = rule { textSort = TextSort(rawValue: name) ?? .plain } else { textSort = .plain }
        isName = key.map { $0 != "self" && !$0.utf8.contains(UInt8(ascii: ".")) } ?? false
        reader = KeyPathReader(path: key ?? "self")
        swiftKeyPath = keyPath
        // Foundation's initializer requires one of its key paths; every member that uses it is overridden.
        super.init(keyPath: \String.count, ascending: ascending)
    }

    deinit { slots.load(ordering: .acquiring)?.release() }

    /// The Swift key path that the descriptor was created with.
    var givenKeyPath: AnyKeyPath? { swiftKeyPath }

    override var classForCoder: AnyClass { NSSortDescriptor.self }
    override var ascending: Bool { isUpward }
    override var keyPath: AnyKeyPath { swiftKeyPath ?? super.keyPath }
    override func copy() -> Any { self }
    override func copy(with zone: NSZone?) -> Any { self }

    override var comparator: Comparator {
        { [self] in valueOrder(EvaluatedValue($0), EvaluatedValue($1)) }
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        guard isAllowed() else { return .orderedSame }
        let order = valueOrder(value(of: object1), value(of: object2))
        return isUpward ? order : order.reversed
    }

    /// Whether the descriptor may compare; logs a message if it may not.
    func isAllowed() -> Bool {
        guard isForbidden.withLock({ $0 }) else { return true }
        EvaluationLog.report(
            "A sort descriptor that was decoded securely sorts nothing until allowEvaluation() is called. Look at it "
                + "first."
        )
        return false
    }

    override var reversedSortDescriptor: Any {
        KeySortDescriptor(key: storedKey, ascending: !isUpward, rule: rule, keyPath: swiftKeyPath)
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor else { return false }
        if self === other { return true }
        guard storedKey == other.storedKey, isUpward == other.isUpward else { return false }
        if hasComparator || other.hasComparator { return false }
        // `compare:` is the default method.
        return (sortSelector ?? TextSort.plain.rawValue) == (other.sortSelector ?? TextSort.plain.rawValue)
    }

    override var hash: Int {
        var hasher = Hasher()
        hasher.combine(storedKey)
        hasher.combine(isUpward)
        return hasher.finalize()
    }

    override var description: String {
        let selector = sortSelector ?? "compare:"
        return "(\(storedKey ?? "self"), \(isUpward ? "ascending" : "descending"), \(selector))"
    }

    /// The value of the key; nil for an object without it.
    func value(of object: Any) -> EvaluatedValue {
        if isName, let value = slotValue(of: object) { return value }
        let evaluated = EvaluatedValue(object)
        if isName, let storedKey, case .readable(let readable) = evaluated {
            return EvaluatedValue(readable.value(forKey: storedKey))
        }
        return (try? reader.read(from: evaluated)) ?? .null
    }

    /// The value in the key's slot; nil if the object has none.
    private func slotValue(of object: Any?) -> EvaluatedValue? {
        if let known = slots.load(ordering: .acquiring) {
            let answer = withUnsafePointer(to: object) { object in
                known._withUnsafeGuaranteedRef { $0.value(of: object) }
            }
            switch answer {
            case .value(let value): return value
            case .general: return nil
            case .unknown: break
            }
        }
        guard let object, addSlot(of: object) else { return nil }
        return slotValue(of: object)
    }

    /// Finds the slot of the key in objects like this one; returns false if there is none.
    @inline(never)
    private func addSlot(of object: Any) -> Bool {
        guard let storedKey else { return false }
        let former = slots.load(ordering: .acquiring)
        guard let slot = SortedSlot(storedKey, of: object, before: former?.takeUnretainedValue()) else { return false }
        let new = Unmanaged.passRetained(slot)
        let (isAdded, _) = slots.compareExchange(expected: former, desired: new, ordering: .acquiringAndReleasing)
        if isAdded { former?.release() } else { new.release() }
        return true
    }

    /// The order of two values before the direction is applied.
    func valueOrder(_ a: EvaluatedValue, _ b: EvaluatedValue) -> ComparisonResult {
        switch rule {
        case .whole(let comparator)?:
            guard let first = a.anyValue, let second = b.anyValue else { return .orderedSame }
            return comparator(first, second)
        case .comparator(let comparator)?:
            guard let first = a.anyValue, let second = b.anyValue else { return a.sortOrder(against: b, .plain) }
            return comparator(first, second)
        case .selector?, nil: return a.sortOrder(against: b, textSort)
        }
    }
}

extension EvaluatedValue {
    /// A total order for sorting: nil first, then by kind as in SQLite (numbers, texts, the rest), then by value.
    package func sortOrder(against other: EvaluatedValue, _ textSort: TextSort) -> ComparisonResult {
        switch (self, other) {
        case (.integer(let a), .integer(let b)):
            return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
        case (.text(let a), .text(let b)): return TextSort.compare(a, b, textSort)
        default: break
        }
        if let order = order(against: other) { return order }
        let a = sortRank
        let b = other.sortRank
        return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
    }

    private var sortRank: Int {
        switch self {
        case .null: return 0
        case .boolean, .integer, .real, .decimal: return 1
        case .date: return 2
        case .text: return 3
        case .url: return 4
        case .uuid: return 5
        case .data: return 6
        case .collection, .dictionary: return 7
        case .readable, .other: return 8
        }
    }
}
