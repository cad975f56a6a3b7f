// The result of `SectionedList.apply`.

/// The changes made to a list.
///
/// Positions named `from` and the indexes of deleted sections refer to the state before the batch; positions named `to`
/// and the indexes of inserted sections to the state after it.
struct ListChanges<Object: AnyObject> {
    var deletedSections: [(section: ListSection<Object>, index: Int)] = []
    var insertedSections: [(section: ListSection<Object>, index: Int)] = []
    var deleted: [(object: Object, from: ListPosition)] = []
    var inserted: [(object: Object, to: ListPosition)] = []
    var moved: [(object: Object, from: ListPosition, to: ListPosition)] = []
    var updated: [(object: Object, from: ListPosition, to: ListPosition)] = []

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}
