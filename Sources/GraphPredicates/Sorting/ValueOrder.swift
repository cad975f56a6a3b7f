// The order that a sort descriptor defines for values that were read before. Used to compare many values by one
// descriptor: the rule is resolved once.
import Foundation

/// Compares values as a sort descriptor does.
package struct ValueOrder {
    private enum Rule {
        case text(TextSort)
        /// A closure, or a descriptor of another class.
        case other(NSSortDescriptor)
    }

    private let rule: Rule
    private let isAscending: Bool

    package init(_ descriptor: NSSortDescriptor) {
        isAscending = descriptor.ascending
        switch (descriptor as? KeySortDescriptor)?.rule {
        case .selector(let name)?: rule = .text(TextSort(rawValue: name) ?? .plain)
        case .comparator?, .whole?: rule = .other(descriptor)
        case nil: rule = .text(.plain)
        }
    }

    /// The order of two values of the key, in the direction of the descriptor.
    package func compare(_ first: EvaluatedValue, _ second: EvaluatedValue) -> ComparisonResult {
        let order: ComparisonResult
        switch (rule, first, second) {
        case (.text, .integer(let a), .integer(let b)):
            order = a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
        case (.text(let textSort), _, _):
            order = first.sortOrder(against: second, textSort)
        case (.other(let descriptor), _, _):
            let own = (descriptor as? KeySortDescriptor)?.valueOrder(first, second)
            order = own ?? first.sortOrder(against: second, .plain)
        }
        return isAscending ? order : order.reversed
    }
}
