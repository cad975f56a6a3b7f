// An in-memory object of the sample model: the evaluator uses it while SQLite uses its row. Beside `SampleObject`.
import Foundation
import GraphPredicates

/// A stand-in for an entity description.
struct SampleEntity: KeyValueReadable, Hashable {
    let name: String

    func value(forKey key: String) -> Any? { key == "name" ? name : nil }
}
