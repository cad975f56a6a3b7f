// A relationship that was followed from fetched objects, and the number of faults that fired one by one.

/// The reading of one relationship, or of the values, of the objects of one origin.
final class FaultWalk {
    let source: FaultSource
    /// The path of the objects that are read.
    let start: String
    /// The relationship; empty for the values.
    let name: String
    /// The objects that the relationship leads to.
    private(set) lazy var reached = FaultOrigin(source, path: path)
    /// The number of objects read one by one since the last `backOff()`.
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

    /// The number of owners whose members the next read covers: smaller if each has many.
    var portion: Int {
        guard owners > 0, members > owners else { return FaultPage.limit }
        return max(16, min(FaultPage.limit, Self.rowLimit / (members / owners)))
    }

    /// The maximum number of members of one read.
    private static let rowLimit = 20_000
}
