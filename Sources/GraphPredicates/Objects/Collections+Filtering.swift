// `filtered(using:)` for Swift's collections; Foundation has it only for its own.

import Foundation

extension Array {
    /// The elements that satisfy a predicate.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension Set {
    /// The elements that satisfy a predicate.
    public func filtered(using predicate: NSPredicate) -> Set<Element> {
        filter { predicate.evaluate(with: $0) }
    }
}
