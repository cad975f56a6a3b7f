// The result of `SectionedList.apply`.

/// The changes made to a list.
///
/// Positions named `from` and the indexes of deleted sections refer to the state before the batch; positions named `to`
/// and the indexes of inserted sections to the state after it.
struct ListChanges {
    var deletedSections: [(section: ListSection, index: Int)] = []
    var insertedSections: [(section: ListSection, index: Int)] = []
    var deleted: [(object: NSManagedObject, from: ListPosition)] = []
    var inserted: [(object: NSManagedObject, to: ListPosition)] = []
    var moved: [(object: NSManagedObject, from: ListPosition, to: ListPosition)] = []
    var updated: [(object: NSManagedObject, from: ListPosition, to: ListPosition)] = []

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}
