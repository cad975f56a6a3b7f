// The origin of objects, and the number of their faults that fired one by one: a fetch, and below it the relationships
// that were followed from its objects. Made only if the context's faultingPolicy is not `allow`; held by the pages of
// the objects (SiblingPage). It refers to no objects; used on the context's queue.

/// The objects of one fetch, or those that a relationship leads to from them.
final class FaultOrigin {
    let source: FaultSource
    /// The relationships that lead here from the fetched objects, joined by dots; empty for those objects themselves.
    let path: String
    private var walks: [String: FaultWalk] = [:]

    init(_ source: FaultSource, path: String = "") {
        self.source = source
        self.path = path
    }

    /// The reading of one relationship of these objects; an empty name stands for their values.
    func walk(_ name: String) -> FaultWalk {
        if let walk = walks[name] { return walk }
        let walk = FaultWalk(source, from: path, name)
        walks[name] = walk
        return walk
    }
}
