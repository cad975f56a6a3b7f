import GraphModel
import GraphSQL

/// A row written by the current save that derived attributes depend on.
struct DependentRow: Hashable {
    /// The index of the path.
    let path: Int
    let step: Int
    let primaryKey: Int64
}
