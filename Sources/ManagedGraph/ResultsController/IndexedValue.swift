// A value by which a context looks up the controllers that a change affects.
import Foundation
import GraphPredicates

/// A value as a lookup key: coarser than the predicate's equality, never finer.
enum IndexedValue: Hashable {
    case null
    case integer(Int64)
    case text(String)
    case uuid(UUID)
    case object(ObjectIdentifier)

    /// Creates the lookup key of a value; nil for a value of another type.
    init?(_ value: Any?) {
        switch EvaluatedValue(value) {
        case .null: self = .null
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .real(let number):
            guard let integer = Int64(exactly: number) else { return nil }
            self = .integer(integer)
        case .text(let text): self = .text(text)
        case .uuid(let uuid): self = .uuid(uuid)
        case .readable(let object):
            guard let object = object as? NSManagedObject else { return nil }
            self = .object(ObjectIdentifier(object))
        default: return nil
        }
    }
}
