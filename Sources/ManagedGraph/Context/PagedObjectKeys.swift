// The keys of objects of several entities, such as the members of a relationship, as rows of faults.
import GraphEngine

/// Keys of one store, each with its entity.
struct PagedObjectKeys: PagedObjectRows {
    let keys: [ObjectKey]
    let layouts: [ObjectLayout]
    let pageSize: Int
    var page: FaultPage?

    init(_ keys: [ObjectKey], _ layouts: [ObjectLayout], pageSize: Int) {
        (self.keys, self.layouts, self.pageSize) = (keys, layouts, pageSize)
    }

    var count: Int { keys.count }

    var store: Int32 { keys.first?.store ?? -1 }

    func primaryKey(_ row: Int) -> Int64 { keys[row].primaryKey }

    func layout(_ row: Int) -> ObjectLayout { layouts[Int(keys[row].entity)] }
}
