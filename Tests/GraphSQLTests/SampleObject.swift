// An in-memory object of the sample model: the evaluator uses it while SQLite uses its row.
import Foundation
import GraphPredicates

final class SampleObject: KeyValueReadable, IdentityComparable, CustomStringConvertible {
    let entity: String
    let key: Int64
    var values: [String: Any] = [:]

    init(_ entity: String, _ key: Int64, _ values: [String: Any] = [:]) {
        self.entity = entity
        self.key = key
        self.values = values
    }

    var comparableIdentity: AnyHashable { "\(entity)/\(key)" }
    var description: String { "<\(entity) \(key)>" }

    func value(forKey key: String) -> Any? {
        switch key {
        case "objectID": self
        case "entity": SampleEntity(name: entity)
        default: values[key]
        }
    }

    func objects(_ key: String) -> [SampleObject] { values[key] as? [SampleObject] ?? [] }
}
