// The origin of objects, and the number of their faults that fired one by one: a fetch, and below it the relationships
// that were followed from its objects. Made only if the context's faultingPolicy is not `allow`; held by the pages of
// the objects (SiblingPage). It refers to no objects; used on the context's queue.

/// The source of the first objects in a tree of origins.
final class FaultSource {
    enum Kind {
        case fetch
        /// `object(with:)`, for one identifier after the other.
        case identifiers
        /// A fetch without recorded details.
        case unknown
    }

    let kind: Kind
    let place: CallPlace?
    /// The remedy for reading values one by one.
    let cureOfValues: String

    init(_ kind: Kind, place: CallPlace?, cureOfValues: String) {
        self.kind = kind
        self.place = place
        self.cureOfValues = cureOfValues
    }
}

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

/// The reading of one relationship, or of the values, of the objects of one origin.
final class FaultWalk {
    let source: FaultSource
    /// The path of the objects that are read.
    let start: String
    /// The relationship; empty for the values.
    let name: String
    /// The objects that the relationship leads to.
    private(set) lazy var reached = FaultOrigin(source, path: path)
    /// Objects that were read one by one.
    var firings = 0
    var isReported = false
    /// Members read so far, and their owners; they limit the next read.
    private var members = 0
    private var owners = 0
    /// Owners whose members the parent context has been requested to read.
    var askedOfParent: Set<Int64> = []
    /// The number of firings after which objects are read together.
    private var patience = 1

    init(_ source: FaultSource, from start: String, _ name: String) {
        self.source = source
        self.start = start
        self.name = name
    }

    /// The relationships that lead from the fetched objects to the objects read.
    var path: String {
        if start.isEmpty || name.isEmpty { return start + name }
        return "\(start).\(name)"
    }

    /// Whether the next read covers many objects.
    var readsTogether: Bool { firings >= patience }

    /// Objects that were read together became invalid before they were used: read more of them one by one before the
    /// next time.
    func backOff() {
        firings = 0
        patience = min(patience * 2, 1 << 20)
    }

    func noteMembers(_ count: Int, owners: Int) {
        members += count
        self.owners += owners
    }

    /// Owners whose members are read together: fewer if each has many.
    var portion: Int {
        guard owners > 0, members > owners else { return FaultPage.limit }
        return max(16, min(FaultPage.limit, Self.rowLimit / (members / owners)))
    }

    /// The maximum number of members of one read.
    private static let rowLimit = 20_000
}
