// Whose changes a transaction holds, for the history. Given by contexts and batch requests to the store that is written.

/// Who makes a save.
struct SaveOrigin {
    var author: String?
    var contextName: String?
}
