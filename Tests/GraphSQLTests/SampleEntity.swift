// A stand-in for an entity description in the sample model.
import Foundation
import GraphPredicates

/// A stand-in for an entity description.
struct SampleEntity: KeyValueReadable, Hashable {
    let name: String

    func value(forKey key: String) -> Any? { key == "name" ? name : nil }
}
