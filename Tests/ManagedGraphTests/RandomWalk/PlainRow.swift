// The expected row of an object in a random walk.
import Foundation

/// One object, independent of contexts.
struct PlainRow: Equatable {
    enum Kind: String, CaseIterable { case item = "Item", box = "Box", tag = "Tag" }
    var kind: Kind
    var name: String?
    var count: Int64 = 0
    var box: Int?
    var partner: Int?
    var parent: Int?
    var tags: Set<Int> = []
    /// For a box: items in order; an item may be in several queues.
    var queue: [Int] = []
}
