// The rows and the page of an object that has both, or own values beside them. Owned by one managed object.
import GraphEngine

/// An object's rows and page, if one word cannot hold them.
class ObjectParts {
    /// The rows the object was read from, owned.
    @exclusivity(unchecked) final var rows: Unmanaged<RowBatch>?
    @exclusivity(unchecked) final var page: FaultPage?

    init(rows: Unmanaged<RowBatch>? = nil, page: FaultPage? = nil) {
        self.rows = rows
        self.page = page
    }

    deinit { rows?.release() }
}
