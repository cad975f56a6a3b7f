// The keys of values other than objects, such as the length of a text, in Swift predicates.
import Foundation

/// Keys of values other than objects, supported in memory and in SQL.
enum PropertyOfValue {
    static func key(of keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \String.count: return "count"
        case \Date.timeIntervalSinceReferenceDate: return "timeIntervalSinceReferenceDate"
        case \Date.timeIntervalSince1970: return "timeIntervalSince1970"
        case \URL.absoluteString: return "absoluteString"
        case \Data.count: return "count"
        default: return nil
        }
    }

    static func isCount(_ keyPath: AnyKeyPath) -> Bool {
        keyPath == \NSSet.count || keyPath == \NSOrderedSet.count || keyPath == \NSArray.count
    }
}
