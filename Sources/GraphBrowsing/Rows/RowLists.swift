// The row lists of the views that readers have open. Owned by a session; lists of unsaved changes do not exist, as
// windows add these.
import Foundation
import GraphEngine
import GraphPredicates
import ManagedGraph
import Synchronization

/// Reads and caches row lists.
final class RowLists: Sendable {
    /// The parts of a request that determine its rows.
    struct View: Hashable {
        let entity: String
        let predicate: String?
        let sort: [String]
        let includesSubentities: Bool
        let owner: RowRequest.Owner?

        init(_ request: RowRequest) {
            entity = request.entity
            predicate = request.predicate
            sort = request.sort
            includesSubentities = request.includesSubentities
            owner = request.owner
        }
    }

    private struct Entry {
        let view: View
        let stamp: String
        var count: Int
        var list: RowList?
    }

    /// The greatest number of lists in memory.
    private static let limit = 4
    private let entries = Mutex<[Entry]>([])

    /// A number of rows that can be added to another one.
    static func clamped(_ rows: Int) -> Int { max(0, min(rows, 1 << 40)) }

    /// The list of a view at a stamp; nil if it has not been read.
    func list(_ view: View, _ stamp: String) -> RowList? { entry(view, stamp)?.list }

    /// The number of rows of a view at a stamp; nil if they have not been counted.
    func count(_ view: View, _ stamp: String) -> Int? { entry(view, stamp)?.count }

    private func entry(_ view: View, _ stamp: String) -> Entry? {
        entries.withLock { entries in
            guard let place = entries.firstIndex(where: { $0.view == view && $0.stamp == stamp }) else { return nil }
            let entry = entries.remove(at: place)
            entries.append(entry)
            return entry
        }
    }

    func note(_ view: View, _ stamp: String, count: Int, list: RowList?) {
        entries.withLock { entries in
            let former = entries.first { $0.view == view && $0.stamp == stamp }
            entries.removeAll { $0.view == view }
            entries.append(Entry(view: view, stamp: stamp, count: count, list: list ?? former?.list))
            if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
        }
    }
}
