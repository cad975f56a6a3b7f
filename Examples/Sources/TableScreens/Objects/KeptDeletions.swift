// The latest deletions of one application, each to be undone for a while. Confined to the context's queue.
import CoreData
import Foundation

final class KeptDeletions {
    /// The time after which a deletion is dropped; longer than the time of the note, which readers can stop.
    static let keepTime = Duration.seconds(60)
    /// The bytes of all copies together; beyond it, the oldest are dropped.
    static let byteLimit = 128 * 1024 * 1024

    private struct Entry {
        let token: String
        let deletion: KeptDeletion
        let note: String
        let since: ContinuousClock.Instant
    }

    private var entries: [Entry] = []
    /// The objects inserted in place of deleted ones, to which an undone deletion relates its objects.
    private var renewed: [NSManagedObjectID: NSManagedObjectID] = [:]

    /// Keeps a deletion and returns the token that undoes it.
    func keep(_ deletion: KeptDeletion, note: String) -> String {
        let token = UUID().uuidString
        entries.append(Entry(token: token, deletion: deletion, note: note, since: .now))
        while entries.count > 1, bytes > Self.byteLimit { entries.removeFirst() }
        return token
    }

    private var bytes: Int { entries.reduce(0) { $0 + $1.deletion.bytes } }

    /// The note of a deletion that can still be undone.
    func note(_ token: String) -> String? { entries.first { $0.token == token }?.note }

    /// Inserts the objects of a deletion again, and saves.
    ///
    /// - Throws: `ScreenError.badInput` if the deletion has been dropped; the errors of `save()`, after a rollback.
    func undo(_ token: String, in context: NSManagedObjectContext) throws {
        guard let place = entries.firstIndex(where: { $0.token == token }) else {
            throw ScreenError.badInput("The deletion is too long ago to be undone.")
        }
        do {
            let inserted = entries[place].deletion.restore(in: context) { id in
                // An object that was deleted, brought back and deleted again has several earlier IDs.
                var latest = id
                while let next = renewed[latest] { latest = next }
                return latest
            }
            try context.save()
            for (old, object) in inserted { renewed[old] = object.objectID }
            entries.remove(at: place)
        } catch {
            context.rollback()
            throw error
        }
    }

    /// Drops old deletions; called every few seconds.
    func tick() {
        entries.removeAll { ContinuousClock.now - $0.since > Self.keepTime }
        if entries.isEmpty { renewed = [:] }
    }
}
