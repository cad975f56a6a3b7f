// Pages of the faults that to-one relationships lead to. Made when such a relationship is read.
import GraphEngine

/// The page of one fault that a to-one relationship of another object has led to.
final class DestinationPage: SiblingPage {
    /// The object that has the relationship, and its place in the identity map.
    let owner: ObjectKey
    let ownerLayout: ObjectLayout
    private let walk: FaultWalk

    init(key: ObjectKey, layout: ObjectLayout, owner: NSManagedObject, walk: FaultWalk) {
        self.owner = owner.key
        self.walk = walk
        ownerLayout = owner.layout
        super.init(keys: [key.primaryKey], layout: layout, store: key.store, origin: walk.reached)
    }

    override var valuesWalk: FaultWalk { walk }
    override var reportedEntity: String { ownerLayout.name }
}
