/// The change of an object before its effect on the list is determined.
struct ListEdit<Object: AnyObject> {
    /// The effect of the change on the values that the object is sorted by.
    enum Keys: Comparable {
        case unchanged
        case unknown
        case changed
    }

    var object: Object
    /// Whether the object belongs in the list now.
    var belongs: Bool
    var keys: Keys
}

/// The changes that a set of edits will make to a list.
struct ListPlan<Object: AnyObject> {
    var deleted: [Object] = []
    var inserted: [Object] = []
    var moved: [Object] = []
    var updated: [Object] = []

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}

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
