// Memory for decoding small results: most are one row, whose buffers would cost more than its values. Owned by the handle
// of a connection, lent to one decoder at a time.

/// Cells and bytes of a result whose size is not known yet.
final class RowScratch {
    /// Enough for 16 rows of some dozen columns.
    static let cellCount = 512
    static let byteCount = 4096
    let cells = UnsafeMutablePointer<UInt64>.allocate(capacity: cellCount)
    let arena = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCount)

    deinit {
        cells.deallocate()
        arena.deallocate()
    }
}
