// The rows and the page of an unchanged object. Only objects whose origin is recorded keep their page with their rows.
import GraphEngine

/// Rows and a page.
final class PagedRows: ObjectParts {
    @exclusivity(unchecked) private var ownPage: FaultPage?

    override var page: FaultPage? {
        get { ownPage }
        set { ownPage = newValue }
    }

    init(rows: Unmanaged<RowBatch>, page: FaultPage) {
        ownPage = page
        super.init(rows: rows)
    }
}
