// The drafts of one application. The server's tasks look them up under a lock held only briefly; ApplicationStore runs
// the work on a draft. Their number is bounded: a new draft replaces the draft that has been unused longest.
import CoreData
import Synchronization

final class Drafts: Sendable {
    /// The maximum number of drafts.
    static let limit = 300
    /// The time after which a draft without a browser is saved.
    static let grace = Duration.seconds(30)
    /// The time after which a draft that cannot be saved is dropped.
    static let keep = Duration.seconds(60 * 60)

    private let drafts = Mutex<[Draft.Key: Draft]>([:])

    func find(_ key: Draft.Key) -> Draft? {
        let draft = drafts.withLock { $0[key] }
        draft?.presence.withLock { $0.lastUse = .now }
        return draft
    }

    /// Adds a draft, or returns the one that another request has just added; nil if there are too many.
    func add(_ draft: Draft) -> Draft? {
        drafts.withLock { drafts in
            if let existing = drafts[draft.key] { return existing }
            guard drafts.count < Self.limit else { return nil }
            drafts[draft.key] = draft
            return draft
        }
    }

    func remove(_ draft: Draft) {
        drafts.withLock { if $0[draft.key] === draft { $0[draft.key] = nil } }
    }

    /// The drafts that no browser shows, the longest unused first, with the time since their last use.
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
