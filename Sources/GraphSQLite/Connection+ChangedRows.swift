// The keys of the rows that a statement changes: reading them first would find the rows twice, and RETURNING keeps them in
// a table of its own, which takes as long.
import CSQLite

extension Connection {
    /// The keys of the rows that a statement updates or deletes.
    ///
    /// O(rows).
    ///
    /// - Parameter body: Runs the statement, which no trigger follows.
    /// - Returns: The keys in the order of the changes.
    /// - Throws: The errors of `body`, and one for a key that occurs only in damaged files.
    func keysOfRows(changedBy body: () throws -> Void) throws -> [Int64] {
        let pointer = try handle.requirePointer()
        let changed = KeyCollector()
        sqlite3_update_hook(
            pointer,
            { context, _, _, _, key in
                guard let context else { return }
                Unmanaged<KeyCollector>.fromOpaque(context).takeUnretainedValue().keys.append(key)
            },
            Unmanaged.passUnretained(changed).toOpaque()
        )
        defer { sqlite3_update_hook(pointer, nil, nil) }
        try withExtendedLifetime(changed) { try body() }
        guard changed.keys.count == changes else {
            throw SQLiteError(
                code: SQLITE_INTERNAL,
                message: "\(changes) rows were changed, and \(changed.keys.count) were reported"
            )
        }
        if let key = changed.keys.first(where: { $0 <= 0 }) { throw SQLiteError.impossibleKey(key) }
        return changed.keys
    }
}

/// Keys that SQLite passes one by one.
private final class KeyCollector {
    @exclusivity(unchecked) var keys: [Int64] = []
}
