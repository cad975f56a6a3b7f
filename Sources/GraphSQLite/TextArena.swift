// Memory for the texts of rows that one statement writes: SQLite reads them there and makes no copies of its own. Owned by
// the writer of an entity's rows.

/// The bytes of some texts, until the next ones take their place.
final class TextArena {
    private static let capacity = 1 << 15
    private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    private var used = 0

    deinit { memory.deallocate() }

    func removeAll() { used = 0 }

    /// Copies a text; nil if there is no room for it.
    @inline(__always)
    func place(_ text: String) -> UnsafeBufferPointer<UInt8>? {
        let placed = text.utf8.withContiguousStorageIfAvailable { bytes -> UnsafeBufferPointer<UInt8>? in
            guard bytes.count <= Self.capacity - used, let base = bytes.baseAddress else { return nil }
            let place = memory + used
            place.update(from: base, count: bytes.count)
            used += bytes.count
            return UnsafeBufferPointer(start: place, count: bytes.count)
        }
        return placed ?? nil
    }
}
