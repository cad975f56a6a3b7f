// The saves of a running container that were observed, with the values before and after. Filled by LiveFeed while a page is
// open, read by the section History. Thread-safe; the oldest saves are dropped.
import CoreData
import Foundation
import Synchronization

final class SaveJournal: Sendable {
    /// The maximum number of saves, and of objects in all of them.
    private static let limit = 500, objectLimit = 5_000

    struct Entry: Sendable {
        let number: Int
        let date: Date
        let save: StoreActivity.FinishedSave

        var objectCount: Int { save.inserted.count + save.updated.count + save.deletedObjects.count }
    }

    private struct State {
        var entries: [Entry] = []
        var next = 1
        var objects = 0
    }

    private let state = Mutex(State())

    func add(_ save: StoreActivity.FinishedSave) {
        state.withLock { state in
            let entry = Entry(number: state.next, date: Date(), save: save)
            state.next += 1
            state.objects += entry.objectCount
            state.entries.append(entry)
            while state.entries.count > Self.limit || state.objects > Self.objectLimit, state.entries.count > 1 {
                state.objects -= state.entries.removeFirst().objectCount
            }
        }
    }

    var entries: [Entry] { state.withLock { $0.entries } }

    func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }
}
