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
        let keyed = descriptor as? KeySortDescriptor
        switch keyed?.rule {
        case .comparator?, .whole?: rule = .other(descriptor)
        case .selector?, nil: rule = .text(keyed?.textSort ?? .plain)
        }
    }

    /// The order of two values of the key, in the direction of the descriptor.
    package func compare(_ first: EvaluatedValue, _ second: EvaluatedValue) -> ComparisonResult {
        let order: ComparisonResult
        switch rule {
        case .text(let textSort): order = first.sortOrder(against: second, textSort)
        case .other(let descriptor):
            let own = (descriptor as? KeySortDescriptor)?.valueOrder(first, second)
            order = own ?? first.sortOrder(against: second, .plain)
        }
        return isAscending ? order : order.reversed
    }
}
