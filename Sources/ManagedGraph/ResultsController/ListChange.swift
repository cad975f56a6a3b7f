/// What is known of a changed object before the list is asked.
struct ListEdit<Object: AnyObject> {
    /// What the change has done to the values that the object is sorted by.
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

/// What a set of edits will do to a list.
struct ListPlan<Object: AnyObject> {
    var deleted: [Object] = []
    var inserted: [Object] = []
    var moved: [Object] = []
    var updated: [Object] = []

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}

/// What has happened to a list.
///
/// Positions named `from` and deleted sections are counted before all changes of the batch, positions named `to`
/// and inserted sections after all of them.
struct ListChanges<Object: AnyObject> {
    var deletedSections: [(section: ListSection<Object>, index: Int)] = []
    var insertedSections: [(section: ListSection<Object>, index: Int)] = []
    var deleted: [(object: Object, from: ListPosition)] = []
    var inserted: [(object: Object, to: ListPosition)] = []
    var moved: [(object: Object, from: ListPosition, to: ListPosition)] = []
    var updated: [(object: Object, from: ListPosition, to: ListPosition)] = []

    var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }
}
