// Makes many faults of one context: the parts that objects of one entity have in common are looked up when the entity
// changes, not for each object. Used by the fetches and look-ups of many rows; a single object is made by makeFault(_:key:).
import GraphEngine

/// Makes the faults of one store for one context.
struct FaultMaker {
    /// Outlives the maker, which one method of the context uses.
    private unowned(unsafe) let context: NSManagedObjectContext
    private unowned(unsafe) let registry: ObjectRegistry
    private let store: Int32
    private let state: ObjectState
    /// The entity of the last object; layouts are never freed.
    private unowned(unsafe) var layout: ObjectLayout
    private var objectClass: NSManagedObject.Type
    private var table: UnsafePointer<LayoutTable>
    /// The context's own; not counted for each object.
    private var entity: Unmanaged<NSEntityDescription>

    init(_ context: NSManagedObjectContext, store: Int32, layout: ObjectLayout) {
        self.context = context
        self.store = store
        registry = context.registry
        state = context.registry.faultState
        self.layout = layout
        objectClass = layout.objectClass
        table = layout.table(store: store)
        entity = Unmanaged.passUnretained(context.entityForFaults(layout))
    }

    /// A new fault, not registered yet.
    @inline(__always)
    mutating func make(_ layout: ObjectLayout, primaryKey: Int64) -> NSManagedObject {
        if layout !== self.layout { self = FaultMaker(context, store: store, layout: layout) }
        return make(primaryKey: primaryKey)
    }

    /// A new fault of the same entity as the last one, not registered yet.
    @inline(__always)
    func make(primaryKey: Int64) -> NSManagedObject {
        let objectClass = objectClass
        let object = entity._withUnsafeGuaranteedRef { objectClass.init(entity: $0, insertInto: nil) }
        object.home.enter(registry)
        object.table = table
        object.primaryKey = primaryKey
        object.state = state
        return object
    }
}
