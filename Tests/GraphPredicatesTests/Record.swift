// A readable object, for tests of predicates.
import Foundation
import GraphPredicates
import Testing

/// An object with named values.
final class Record: KeyValueReadable {
    var values: [String: Any?]
    init(_ values: [String: Any?]) { self.values = values }
    func value(forKey key: String) -> Any? { values[key] ?? nil }
}
