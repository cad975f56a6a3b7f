// Rows for which a context finds or makes objects, all at once: those of a fetch, the keys of a batched fetch, the
// members of a relationship. Passed to NSManagedObjectContext.objects(of:), which calls them row by row.
import GraphEngine

/// Rows of one tree and one store.
protocol ObjectRows {
    var count: Int { get }

    func primaryKey(_ row: Int) -> Int64

    /// Makes the object of a row, without registering it.
    mutating func make(_ row: Int, _ maker: inout FaultMaker) -> NSManagedObject

    /// Notes that a row's object exists.
    mutating func reuse(_ object: NSManagedObject, _ row: Int)
}
