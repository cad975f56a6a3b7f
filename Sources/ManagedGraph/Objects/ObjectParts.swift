// The rows and the page of an object, if one word cannot hold them. Owned by one managed object.
import GraphEngine

/// An object's rows, with a page or own values beside them.
class ObjectParts {
    /// The rows the object was read from, owned.
    @exclusivity(unchecked) final var rows: Unmanaged<RowBatch>?
    /// The page of the object; each subclass stores it.
    var page: FaultPage? {
        get { nil }
        set {}
    }

    init(rows: Unmanaged<RowBatch>? = nil) { self.rows = rows }

    deinit { rows?.release() }
}
