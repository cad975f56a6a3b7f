// The prepared statements of one connection: by text, then by the types of the parameters. Used by
// PostgreSQLConnection+Pipeline; empty behind a pooler.
import GraphSQL

/// The statements that a connection has prepared.
struct StatementCache {
    /// A statement with certain types of parameters.
    final class Entry {
        let name: String
        let text: String
        let types: [PostgreSQLType]
        /// Whether the server has the statement.
        fileprivate(set) var isPrepared = false
        /// Whether the cache has another statement in its place.
        fileprivate var isEvicted = false
        var lastUse: UInt64 = 0

        init(name: String, text: String, types: [PostgreSQLType]) {
            self.name = name
            self.text = text
            self.types = types
        }

        /// Whether the values can be sent with the statement's types; NULL can be sent with each.
        func fits(_ values: [SQLValue]) -> Bool {
            guard values.count == types.count else { return false }
            for (value, type) in zip(values, types) {
                if case .null = value { continue }
                if ValueEncoder.type(of: value) != type { return false }
            }
            return true
        }
    }

    private var entries: [String: [Entry]] = [:]
    private(set) var count = 0
    private var clock: UInt64 = 0
    private var nextNumber = 1
    /// The names of evicted statements that the server still has.
    private(set) var evicted: [String] = []
    let limit: Int

    init(limit: Int = 256) { self.limit = limit }

    /// The entry for a statement, made if there is none; O(1) unless another entry must be evicted.
    mutating func entry(_ statement: SQLStatement) -> Entry {
        clock += 1
        let variants = entries[statement.text] ?? []
        if let entry = variants.first(where: { $0.fits(statement.bindings) }) {
            entry.lastUse = clock
            return entry
        }
        if count >= limit { evictOldest() }
        // A parameter that is NULL now takes its type from other calls, so that one entry serves most of them.
        let types = statement.bindings.enumerated().map { place, value in
            let type = ValueEncoder.type(of: value)
            guard type == .inferred else { return type }
            return variants.lazy.compactMap { variant in
                variant.types.indices.contains(place) && variant.types[place] != .inferred ? variant.types[place] : nil
            }.first ?? .inferred
        }
        let entry = Entry(name: "mg\(nextNumber)", text: statement.text, types: types)
        nextNumber += 1
        entry.lastUse = clock
        entries[statement.text, default: []].insert(entry, at: 0)
        count += 1
        return entry
    }

    /// Records that the server has prepared a statement; a statement evicted in the meantime has to be closed.
    mutating func prepared(_ entry: Entry) {
        if entry.isEvicted, !entry.isPrepared { evicted.append(entry.name) }
        entry.isPrepared = true
    }

    /// Records that the server has closed a statement.
    mutating func closed(_ name: String) { evicted.removeAll { $0 == name } }

    /// Forgets all statements, because the server has dropped them or they no longer fit the tables.
    ///
    /// - Parameter areGone: Whether the server has dropped them; they are closed otherwise.
    mutating func removeAll(areGone: Bool) {
        if areGone { evicted = [] }
        for entry in entries.values.joined() {
            entry.isEvicted = true
            if entry.isPrepared, !areGone { evicted.append(entry.name) }
        }
        entries = [:]
        count = 0
    }

    private mutating func evictOldest() {
        guard let oldest = entries.values.joined().min(by: { $0.lastUse < $1.lastUse }) else { return }
        entries[oldest.text]?.removeAll { $0 === oldest }
        if entries[oldest.text]?.isEmpty == true { entries[oldest.text] = nil }
        count -= 1
        oldest.isEvicted = true
        // The server has no statement that a failed batch left unprepared: closing it would abort an open transaction.
        if oldest.isPrepared { evicted.append(oldest.name) }
    }
}
