// The shapes of a reader's latest fetches, so that a loop that fetches with other values each time needs no translation.
// Owned by a reader, used under its lock only.
import GraphEngine
import GraphSQL

/// The fetches with which the next one is compared.
struct KnownFetches {
    private struct Entry {
        /// Valid for the life of the process, because layouts are never freed.
        unowned(unsafe) let layout: EntityLayout
        let translator: FetchTranslator
        let known: KnownFetch
    }

    private static let limit = 8
    /// Once there are `limit` entries, one in this many unknown fetches replaces the oldest entry.
    private static let patience = 32
    private var entries: ContiguousArray<Entry> = []
    private var misses = 0

    /// The statement of a fetch, if it differs from a known one in its values only.
    mutating func statement(_ fetch: StoreFetch, _ translator: FetchTranslator) throws -> SQLStatement? {
        for entry in entries where entry.layout === fetch.layout && entry.translator === translator {
            if let values = try entry.known.values(for: fetch) { return SQLStatement(entry.known.text, values) }
        }
        misses += 1
        return nil
    }

    /// Whether the latest unknown fetch should be entered: making an entry costs as much as a translation.
    var takesMore: Bool { entries.count < Self.limit || misses.isMultiple(of: Self.patience) }

    /// Adds a fetch, in place of the oldest one if there are `limit` entries.
    mutating func enter(_ fetch: KnownFetch, _ layout: EntityLayout, _ translator: FetchTranslator) {
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append(Entry(layout: layout, translator: translator, known: fetch))
    }
}
