// What a store has set by itself. Returned by a commit, shown by the context that saves.
import GraphSQL

/// A value that is in the store and that nobody has set: a derived one, or one that the file's format has changed.
struct DerivedValue {
    var key: ObjectKey
    var property: String
    var value: SQLValue
}
