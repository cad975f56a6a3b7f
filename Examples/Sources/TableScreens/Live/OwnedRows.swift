// The rows of another source for as long as their owner exists: a project's bugs, a game's cards. Created by
// Table.fetched, used by LiveTable on the context's queue.
import CoreData

final class OwnedRows: RowSource {
    var changed: () -> Void {
        get { rows.changed }
        set { rows.changed = newValue }
    }
    var activity: ActivityFeed? {
        get { rows.activity }
        set { rows.activity = newValue }
    }
    private let rows: any RowSource
    private let owner: NSManagedObject
    private var observer: ContextObserver?

    init(_ rows: any RowSource, of owner: NSManagedObject, context: NSManagedObjectContext) {
        self.rows = rows
        self.owner = owner
        let name = owner.entity.name ?? ""
        observer = ContextObserver(context) { [weak self] names in
            if let self, names.contains(name), self.isGone { self.changed() }
        }
    }

    private var isGone: Bool { owner.isDeleted || owner.managedObjectContext == nil }

    func load() throws { try rows.load() }

    var sections: [SectionShape] { rows.sections }

    func rows(in range: Range<Int>) throws -> [Row] { try rows.rows(in: range) }

    func takeChanges() throws -> RowChanges { isGone ? .gone : try rows.takeChanges() }
}
