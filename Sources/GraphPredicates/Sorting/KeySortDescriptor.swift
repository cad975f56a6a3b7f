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

    init(key: String?, ascending: Bool, rule: Rule? = nil, keyPath: AnyKeyPath? = nil) {
        storedKey = key
        isUpward = ascending
        self.rule = rule
        if case .selector(let name)? = rule { textSort = TextSort(rawValue: name) ?? .plain } else { textSort = .plain }
        reader = KeyPathReader(path: key ?? "self", isRepeated: true)
        swiftKeyPath = keyPath
        // Foundation's initializer requires one of its key paths; every member that uses it is overridden.
        super.init(keyPath: \String.count, ascending: ascending)
    }

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
    func value(of object: Any) -> EvaluatedValue { (try? reader.read(of: object)) ?? .null }

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
