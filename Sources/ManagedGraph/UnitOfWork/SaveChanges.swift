import Foundation
import GraphEngine

/// The objects of a save.
struct SaveChanges {
    var inserted: ContiguousArray<NSManagedObject>
    var updated: ContiguousArray<NSManagedObject>
    var deleted: ContiguousArray<NSManagedObject>

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// The changes of some stores.
    func part(of stores: Set<Int32>) -> SaveChanges {
        SaveChanges(
            inserted: inserted.filter { stores.contains($0.key.store) },
            updated: updated.filter { stores.contains($0.key.store) },
            deleted: deleted.filter { stores.contains($0.key.store) }
        )
    }

    /// The changes without objects that were deleted elsewhere, which have no row to delete.
    var withRows: SaveChanges {
        if deleted.allSatisfyUncounted({ $0.state.isDisjoint(with: .withoutRow) }) { return self }
        var result = self
        result.deleted.removeAll { !$0.state.isDisjoint(with: .withoutRow) }
        return result
    }

    @inline(__always)
    func forEach(_ body: (NSManagedObject) -> Void) {
        inserted.forEachUncounted(body)
        updated.forEachUncounted(body)
        deleted.forEachUncounted(body)
    }
}
