// The result of `SectionedList.plan`, which `SectionedList.apply` carries out.

/// The changes that a set of edits will make to a list.
struct ListPlan {
    var deleted: [NSManagedObject] = []
    var inserted: [NSManagedObject] = []
    var moved: [NSManagedObject] = []
    var updated: [NSManagedObject] = []

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}
