// The operations of a random walk.
import Foundation

/// An operation on one context.
enum WalkOperation: Hashable, CustomStringConvertible {
    case insert(Int, String)
    case set(Int, String, PlainValue)
    case relate(Int, String, Int?)
    case add(Int, String, Int)
    case remove(Int, String, Int)
    case replace(Int, String, [Int])
    case rearrange(Int, String, by: Int)
    case delete(Int)
    case process
    case save
    case rollback
    case refresh(Int, merging: Bool)
    case refreshAll
    case fetch(WalkQuery)
    case reset
    case nullifyReferences(Int)
    /// Merges the last save of another context.
    case merge(from: Int)

    var description: String {
        switch self {
        case .insert(let serial, let entity): "insert \(entity) \(serial)"
        case .set(let serial, let key, let value): "\(serial).\(key) = \(value)"
        case .relate(let serial, let key, let related): "\(serial).\(key) = \(related.map(String.init) ?? "nil")"
        case .add(let serial, let key, let related): "\(serial).\(key) + \(related)"
        case .remove(let serial, let key, let related): "\(serial).\(key) - \(related)"
        case .replace(let serial, let key, let others): "\(serial).\(key) = \(others)"
        case .rearrange(let serial, let key, let places): "\(serial).\(key) rotated by \(places)"
        case .delete(let serial): "delete \(serial)"
        case .process: "processPendingChanges"
        case .save: "save"
        case .rollback: "rollback"
        case .refresh(let serial, let merging): "refresh \(serial)\(merging ? ", merging" : "")"
        case .refreshAll: "refreshAllObjects"
        case .fetch(let query):
            "fetch \(query.entity) \(query.test)\(query.limit > 0 ? " limit \(query.limit)" : "")"
                + "\(query.includesPending ? "" : " without pending")"
        case .reset: "reset"
        case .nullifyReferences(let serial): "let go of \(serial)"
        case .merge(let source): "merge the save of \(source)"
        }
    }
}
