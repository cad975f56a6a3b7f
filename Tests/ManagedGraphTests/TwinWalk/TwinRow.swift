// An object's committed values in the plain model, and the store that holds them.
import Foundation

/// The values of one object, by property.
struct TwinRow: Equatable {
    var entity: String
    var version = 1
    var values: [String: PlainValue] = [:]
    var one: [String: Int] = [:]
    var many: [String: [Int]] = [:]
    /// Ordered relationships whose order two contexts have written, so that only the members are certain.
    var uncertain: Set<String> = []
}
