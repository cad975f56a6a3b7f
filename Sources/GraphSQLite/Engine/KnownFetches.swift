// The shapes of a reader's latest fetches: a loop that fetches with other values each time needs no translation. Owned by
// a reader, touched under its lock only.
import GraphEngine
import GraphSQL

/// A few fetches that the next one is compared with.
struct KnownFetches {
    private struct Entry {
        /// Valid for the life of the process, because layouts are never freed.
        unowned(unsafe) let layout: EntityLayout
        let translator: FetchTranslator
        let known: KnownFetch
    }

    private static let limit = 8
    /// Fetches that are translated for each one that is entered once there are enough.
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

    /// Whether the fetch that was not known should be entered: making an entry costs as much as a translation.
    var takesMore: Bool { entries.count < Self.limit || misses.isMultiple(of: Self.patience) }

    mutating func enter(_ fetch: KnownFetch, _ layout: EntityLayout, _ translator: FetchTranslator) {
        if entries.count >= Self.limit { entries.removeFirst() }
        entries.append(Entry(layout: layout, translator: translator, known: fetch))
    }
}
