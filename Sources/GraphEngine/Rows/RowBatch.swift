// The decoded rows of one result, shared by all objects created from it. Filled by engines, read by objects' accessors;
// immutable once created, so any queue may read it. It must not depend on the meaning of its columns.
//
// Layout, in 8-byte words: each row has `nullWords` words of null bits (bit c of word c / 64 set: column c is NULL),
// then one cell per column.
//
// | kind | cell |
// | --- | --- |
// | integer | Int64 |
// | real | bits of a Double |
// | text, blob, uuid | offset into the arena << 31, length in bytes in the low 31 bits |
import Foundation

/// An immutable table of decoded rows.
///
/// Public, because the compiler does not inline `package` members in other modules and every property read calls these.
public final class RowBatch: @unchecked Sendable {
    /// The kinds of the columns, in order.
    public let kinds: [ColumnKind]
    /// The number of rows.
    public let count: Int
    /// Whether the result had more rows than requested.
    package let hasMore: Bool
    @usableFromInline
    let cells: UnsafeMutablePointer<UInt64>
    @usableFromInline
    let arena: UnsafeMutablePointer<UInt8>
    @usableFromInline
    let stride: Int
    @usableFromInline
    let nullWords: Int
    package let arenaByteCount: Int
    /// Whether the arena is the end of the cells' memory.
    private let isOneBlock: Bool
    /// When the rows were read.
    package var readAt = Moment.now
    /// Objects kept alive as long as these rows: objects that were prefetched for those of this result.
    ///
    /// Accessed only by the fetching context, on its queue.
    @exclusivity(unchecked) package var companions: [AnyObject] = []

    /// An empty result.
    package static let empty = RowBatch(
        kinds: [],
        count: 0,
        hasMore: false,
        cells: .allocate(capacity: 1),
        arena: .allocate(capacity: 1),
        arenaByteCount: 0
    )

    /// Takes ownership of buffers allocated with `malloc`, or of one with the arena after the cells.
    package init(
        kinds: [ColumnKind],
        count: Int,
        hasMore: Bool,
        cells: UnsafeMutablePointer<UInt64>,
        arena: UnsafeMutablePointer<UInt8>,
        arenaByteCount: Int,
        isOneBlock: Bool = false
    ) {
        self.kinds = kinds
        self.count = count
        self.hasMore = hasMore
        self.cells = cells
        self.arena = arena
        self.arenaByteCount = arenaByteCount
        self.isOneBlock = isOneBlock
        nullWords = RowBatch.nullWords(kinds.count)
        stride = nullWords + kinds.count
    }

    deinit {
        free(cells)
        if !isOneBlock { free(arena) }
    }

    package static func nullWords(_ columns: Int) -> Int {
        (columns + 63) / 64
    }

    /// Bytes allocated outside the object.
    package var byteCount: Int { count * stride * 8 + arenaByteCount }

    /// Whether a cell is NULL.
    @inlinable @inline(__always)
    public func isNull(_ column: Int, _ row: Int) -> Bool {
        assert(row < count && column < kinds.count)
        return cells[row &* stride &+ column &>> 6] & (1 &<< UInt64(truncatingIfNeeded: column & 63)) != 0
    }

    /// The integer of an integer column; 0 for NULL.
    @inlinable @inline(__always)
    public func integer(_ column: Int, _ row: Int) -> Int64 {
        Int64(bitPattern: cell(column, row))
    }

    /// The number of a real column; 0 for NULL.
    @inlinable @inline(__always)
    public func real(_ column: Int, _ row: Int) -> Double {
        Double(bitPattern: cell(column, row))
    }

    /// The text of a text column, created by each call; empty for NULL.
    @inlinable @inline(__always)
    public func string(_ column: Int, _ row: Int) -> String {
        withExtendedLifetime(self) { String(decoding: bytes(column, row), as: UTF8.self) }
    }

    /// The bytes of a blob column, copied; empty for NULL.
    @inlinable @inline(__always)
    public func data(_ column: Int, _ row: Int) -> Data {
        withExtendedLifetime(self) { Data(bytes(column, row)) }
    }

    /// Any cell as a value; for diagnosis.
    package func value(_ column: Int, _ row: Int) -> RowValue {
        if isNull(column, row) { return .null }
        switch kinds[column] {
        case .integer: return .integer(integer(column, row))
        case .real: return .real(real(column, row))
        case .text: return .string(string(column, row))
        case .blob, .uuid: return .data(data(column, row))
        }
    }

    /// Borrows the bytes of a text or blob column; they must not escape the closure.
    @inlinable @inline(__always)
    public func withBytes<Result, Failure: Error>(
        _ column: Int,
        _ row: Int,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeRawBufferPointer(bytes(column, row)))
    }

    /// Borrows the UTF-8 of a text column; the bytes must not escape the closure.
    @inlinable @inline(__always)
    public func withUTF8Bytes<Result, Failure: Error>(
        _ column: Int,
        _ row: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(bytes(column, row))
    }

    @inlinable @inline(__always)
    func cell(_ column: Int, _ row: Int) -> UInt64 {
        assert(row < count && column < kinds.count)
        return cells[row &* stride &+ nullWords &+ column]
    }

    @inlinable @inline(__always)
    func bytes(_ column: Int, _ row: Int) -> UnsafeBufferPointer<UInt8> {
        let cell = cell(column, row)
        return UnsafeBufferPointer(start: arena + Int(cell &>> 31), count: Int(cell & 0x7FFF_FFFF))
    }
}
