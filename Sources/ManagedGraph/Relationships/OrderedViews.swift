// The views of ordered relationships that a context holds for a while, so that the next request for one costs nothing.
import Foundation

/// The views used last; a few, as each holds its members.
struct OrderedViews {
    private static let limit = 8
    private var views: [OrderedRelationship] = []

    func view(of owner: NSManagedObject, slot: Int) -> OrderedRelationship? {
        views.last { $0.isView(of: owner, slot: slot) }
    }

    /// Holds a view until the event or the turn ends.
    mutating func hold(_ view: OrderedRelationship) {
        if views.contains(where: { $0 === view }) { return }
        if views.count == Self.limit { views.removeFirst() }
        views.append(view)
    }

    /// Ends the holding; relationships keep the views that no caller has.
    mutating func removeAll() {
        if views.isEmpty { return }
        for index in views.indices where isKnownUniquelyReferenced(&views[index]) { views[index].rest() }
        views = []
    }
}
