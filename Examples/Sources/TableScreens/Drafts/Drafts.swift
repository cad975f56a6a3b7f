// The drafts of one application. Looked up from the server's tasks under a lock held for moments; what is in a draft is
// worked on through ApplicationStore. Their number is bounded: a new one lets go of the one that was left longest ago.
import CoreData
import Synchronization

final class Drafts: Sendable {
    /// How many there can be at once.
    static let limit = 300
    /// How long a draft waits for its browser before it is saved by itself.
    static let grace = Duration.seconds(30)
    /// How long one waits that cannot be saved.
    static let keep = Duration.seconds(60 * 60)

    private let drafts = Mutex<[Draft.Key: Draft]>([:])

    func find(_ key: Draft.Key) -> Draft? {
        let draft = drafts.withLock { $0[key] }
        draft?.presence.withLock { $0.lastUse = .now }
        return draft
    }

    /// Adds a draft, or gives the one that somebody else has just added; nil where there are too many.
    func add(_ draft: Draft) -> Draft? {
        drafts.withLock { drafts in
            if let present = drafts[draft.key] { return present }
            guard drafts.count < Self.limit else { return nil }
            drafts[draft.key] = draft
            return draft
        }
    }

    func remove(_ draft: Draft) {
        drafts.withLock { if $0[draft.key] === draft { $0[draft.key] = nil } }
    }

    /// Those that no browser shows, the longest unused first, with the time since then.
    var forgotten: [(draft: Draft, since: Duration)] {
        let now = ContinuousClock.now
        return drafts.withLock { drafts in
            drafts.values.compactMap { draft in
                let (streams, lastUse) = draft.presence.withLock { ($0.streams, $0.lastUse) }
                return streams == 0 ? (draft, now - lastUse) : nil
            }
        }.sorted { $0.since > $1.since }
    }

    var all: [Draft] { drafts.withLock { Array($0.values) } }
    var isFull: Bool { drafts.withLock { $0.count >= Self.limit } }
}
