// `filtered(using:)` for Swift's collections; Foundation has it for its own.

import Foundation

extension Array {
    /// The elements for which a predicate holds.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension Set {
    /// The elements for which a predicate holds.
    public func filtered(using predicate: NSPredicate) -> Set<Element> {
        filter { predicate.evaluate(with: $0) }
    }
}
