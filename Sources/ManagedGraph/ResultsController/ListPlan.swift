// The result of `SectionedList.plan`, which `SectionedList.apply` carries out.

/// The changes that a set of edits will make to a list.
struct ListPlan<Object: AnyObject> {
    var deleted: [Object] = []
    var inserted: [Object] = []
    var moved: [Object] = []
    var updated: [Object] = []

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}
