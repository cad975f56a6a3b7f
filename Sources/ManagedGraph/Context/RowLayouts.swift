// The layouts of the rows of a fetch. Used by NSManagedObjectContext.objects(of:).
import GraphEngine

/// The layouts of the rows of a fetch: all the same one, unless entities share the table.
///
/// Owns nothing: it is passed along inside of one method of the context.
struct RowLayouts {
    unowned(unsafe) let layout: ObjectLayout
    let isInTree: Bool
    private unowned(unsafe) let context: NSManagedObjectContext
    private unowned(unsafe) let store: any RowStore

    init(_ layout: ObjectLayout, _ context: NSManagedObjectContext, _ store: any RowStore) {
        (self.layout, self.context, self.store) = (layout, context, store)
        isInTree = layout.tree.isInTree
    }

    /// The layout of a row with the number of its entity, or without one.
    @inline(__always)
    func layout(_ number: Int64?) -> ObjectLayout {
        number.flatMap { context.layout(number: $0, store: store) } ?? layout
    }
}
