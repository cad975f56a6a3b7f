// A few rows, recomputed whenever the context changes: detail screens and pickers with fixed choices. Created by
// Table.computed, used by LiveTable on the context's queue.
import CoreData

final class ComputedRows: RowSource {
    var changed: () -> Void = {}
    private let compute: () throws -> [Row]
    private var current: [Row] = []
    private var isStale = false
    private var observer: ContextObserver?

    init(context: NSManagedObjectContext, rows: @escaping () throws -> [Row]) {
        compute = rows
        observer = ContextObserver(context) { [weak self] _ in
            self?.isStale = true
            self?.changed()
        }
    }

    func load() throws {
        current = try compute()
    }

    var sections: [SectionShape] { [SectionShape(title: "", count: current.count)] }

    func rows(in range: Range<Int>) throws -> [Row] {
        Array(current[range.clamped(to: 0..<current.count)])
    }

    func takeChanges() throws -> RowChanges {
        guard isStale else { return .none }
        isStale = false
        let old = current
        do {
            current = try compute()
        } catch ScreenError.notFound {
            return .gone
        }
        guard old.map(\.id) == current.map(\.id) else { return .everything }
        let updates = zip(old, current).filter { $0 != $1 }.map { RowChange.update($1) }
        return updates.isEmpty ? .none : .batches([RowBatchChange(changes: updates, sections: sections)])
    }
}
