// Decoding of rows into a RowBatch: the hot path of every fetch. One loop over a flat plan, with no allocation and no
// retain or release per row. Called by the store's fetches.
import CSQLite
import Foundation
import GraphEngine
import GraphSQL

extension Statement {
    /// Decodes the remaining rows, or at most `maximumRows`, and resets the statement.
    ///
    /// A number whose storage class differs from its column's kind is converted as SQLite does. A value that cannot be
    /// converted is reported as a damaged file: text or data for a number, text that is not UTF-8, a UUID of another
    /// size.
    package func fetchBatch(kinds: [ColumnKind], maximumRows: Int = .max) throws -> RowBatch {
        try decodeBatch(kinds: kinds, maximumRows: maximumRows, isPortion: false)
    }

    /// Decodes the next rows and keeps the statement's position for another call.
    ///
    /// `hasMore` is true if the end was not reached; the next portion may be empty. Reset the statement if you stop
    /// early.
    package func fetchPortion(kinds: [ColumnKind], maximumRows: Int) throws -> RowBatch {
        try decodeBatch(kinds: kinds, maximumRows: maximumRows, isPortion: true)
    }

    private func decodeBatch(kinds: [ColumnKind], maximumRows: Int, isPortion: Bool) throws -> RowBatch {
        guard let pointer else {
            throw SQLiteError(code: SQLITE_MISUSE, message: "the statement is finalized", sql: text)
        }
        guard kinds.count <= columnCount else {
            throw SQLiteError(
                code: SQLITE_MISUSE,
                message: "\(kinds.count) columns asked of a statement with \(columnCount)",
                sql: text
            )
        }
        noteStart()
        // A function of the statement might run another one.
        let scratch = handle.scratch ?? RowScratch()
        handle.scratch = nil
        defer { handle.scratch = scratch }
        var decoder = RowDecoder(columns: kinds.count, scratch: scratch, limit: handle.resultLimit)
        let code = kinds.withUnsafeBufferPointer {
            decoder.decode(pointer, kinds: $0, maximumRows: maximumRows, isPortion: isPortion)
        }
        noteRows(decoder.rows)
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            decoder.discard()
            if let fault = decoder.fault {
                let place = "\(columnName(fault.column)), row \(fault.key)"
                reset()
                throw SQLiteError(code: SQLITE_CORRUPT, message: "\(place): \(fault.reason)", sql: text)
            }
            guard let shortage = decoder.shortage else { throw failure(code) }
            reset()
            throw SQLiteError(
                code: SQLITE_NOMEM,
                message: shortage == .limit
                    ? ResultMemory.excess(over: handle.resultLimit)
                    : shortage == .position
                        ? "one result has more than 8 GB of text and data"
                        : "there is not enough memory for the rows of one fetch",
                sql: text
            )
        }
        let batch = decoder.finish(kinds: kinds, hasMore: code == SQLITE_ROW)
        noteValues(batch)
        if !isPortion || code == SQLITE_DONE { reset() }
        return batch
    }
}

/// The buffers of a batch being decoded: the scratch memory, and allocated ones that grow once it is full.
private struct RowDecoder {
    private let columns: Int
    private let stride: Int
    private let nullWords: Int
    private let scratch: RowScratch
    private var cells: UnsafeMutablePointer<UInt64>
    private var rowCapacity: Int
    private(set) var rows = 0
    private var arena: UnsafeMutablePointer<UInt8>
    private var arenaCapacity: Int
    private var arenaCount = 0
    /// The invalid value that ended the decoding.
    private(set) var fault: (column: Int, key: Int64, reason: String)?
    /// The reason for which a value could not be stored; nil if all were.
    private(set) var shortage: Shortage?
    /// The bytes that the buffers may take.
    private let limit: Int

    /// A reason for which a value cannot be stored.
    enum Shortage {
        /// The result would exceed the limit.
        case limit
        /// The system has no memory left.
        case memory
        /// A cell cannot have the position of the value.
        case position
    }

    init(columns: Int, scratch: RowScratch, limit: Int) {
        self.columns = columns
        self.scratch = scratch
        self.limit = limit
        nullWords = RowBatch.nullWords(columns)
        stride = nullWords + columns
        rowCapacity = RowScratch.cellCount / stride
        arenaCapacity = RowScratch.byteCount
        cells = scratch.cells
        arena = scratch.arena
    }

    private var ownsCells: Bool { cells != scratch.cells }
    private var ownsArena: Bool { arena != scratch.arena }

    func discard() {
        if ownsCells { free(cells) }
        if ownsArena { free(arena) }
    }

    /// Steps and decodes; returns `SQLITE_ROW` if rows are left at the limit, `SQLITE_DONE`, or the error.
    mutating func decode(
        _ statement: OpaquePointer,
        kinds: UnsafeBufferPointer<ColumnKind>,
        maximumRows: Int,
        isPortion: Bool
    ) -> Int32 {
        DatabaseHandle.forgetSystemError()
        while true {
            // Do not step past the limit: the next portion would miss that row.
            if isPortion, rows == maximumRows { return SQLITE_ROW }
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW, rows < maximumRows else { return code }
            if rows == rowCapacity {
                guard growCells() else { return SQLITE_NOMEM }
            }
            let row = cells + rows &* stride
            for word in 0..<nullWords {
                row[word] = 0
            }
            let cell = row + nullWords
            for column in 0..<columns {
                // One sqlite3_column_value and direct calls on it are a third cheaper than sqlite3_column_*, which
                // check the statement each time. This is safe because the connection has no mutex and uses one queue.
                let value = sqlite3_column_value(statement, Int32(truncatingIfNeeded: column))
                let type = sqlite3_value_type(value)
                if type == SQLITE_NULL {
                    row[column &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: column & 63)
                    cell[column] = 0
                    continue
                }
                switch kinds[column] {
                case .integer:
                    guard type <= SQLITE_FLOAT else { return fail(statement, column, "no number") }
                    cell[column] = UInt64(bitPattern: sqlite3_value_int64(value))
                case .real:
                    guard type <= SQLITE_FLOAT else { return fail(statement, column, "no number") }
                    cell[column] = sqlite3_value_double(value).bitPattern
                case .text:
                    let bytes = UnsafeRawPointer(sqlite3_value_text(value))
                    let length = sqlite3_value_bytes(value)
                    guard bytes != nil, store(bytes, length, in: cell + column) else { return shortOfMemory() }
                    guard UTF8Text.isValid(arena + arenaCount - Int(length), Int(length)) else {
                        return fail(statement, column, "text that is not UTF-8")
                    }
                case .uuid:
                    guard type == SQLITE_BLOB, sqlite3_value_bytes(value) == 16 else {
                        return fail(statement, column, "no UUID of 16 bytes")
                    }
                    guard store(sqlite3_value_blob(value), 16, in: cell + column) else { return shortOfMemory() }
                case .blob:
                    let bytes = sqlite3_value_blob(value)
                    let length = sqlite3_value_bytes(value)
                    guard bytes != nil || length == 0, store(bytes, length, in: cell + column) else {
                        return shortOfMemory()
                    }
                }
            }
            rows &+= 1
        }
    }

    /// Records the fault of a value in the current row.
    @inline(never)
    private mutating func fail(_ statement: OpaquePointer, _ column: Int, _ reason: String) -> Int32 {
        fault = (column, sqlite3_column_int64(statement, 0), reason)
        return SQLITE_CORRUPT
    }

    /// Doubles the space for rows, within the limit; false if there is no memory.
    @inline(never)
    private mutating func growCells() -> Bool {
        let capacity = min(max(16, 2 * rowCapacity), max(0, limit - arenaCapacity) / (stride * 8))
        guard capacity > rowCapacity else { return fails(.limit) }
        guard let grown = reallocated(ownsCells ? cells : nil, capacity * stride) else { return fails(.memory) }
        if !ownsCells { grown.update(from: cells, count: rows * stride) }
        rowCapacity = capacity
        cells = grown
        return true
    }

    private mutating func fails(_ reason: Shortage) -> Bool {
        shortage = reason
        return false
    }

    /// SQLite gives no pointer to a value if it has no memory for it.
    @inline(never)
    private mutating func shortOfMemory() -> Int32 {
        if shortage == nil { shortage = .memory }
        return SQLITE_NOMEM
    }

    /// Copies bytes into the arena and their position into the cell; false if the arena would exceed 2^33 bytes or the
    /// limit, or cannot grow.
    @inline(__always)
    private mutating func store(
        _ bytes: UnsafeRawPointer?,
        _ length: Int32,
        in cell: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        guard let bytes, length > 0 else {
            cell.pointee = 0
            return true
        }
        let count = Int(length)
        let end = arenaCount &+ count
        if end > arenaCapacity {
            guard end < 1 << 33 else { return fails(.position) }
            let allowed = limit - rowCapacity * stride * 8
            guard end <= allowed else { return fails(.limit) }
            let capacity = max(end, min(arenaCapacity * 2, allowed))
            guard let grown = reallocated(ownsArena ? arena : nil, capacity) else { return fails(.memory) }
            if !ownsArena { grown.update(from: arena, count: arenaCount) }
            arenaCapacity = capacity
            arena = grown
        }
        memcpy(arena + arenaCount, bytes, count)
        cell.pointee = UInt64(truncatingIfNeeded: arenaCount) &<< 31 | UInt64(truncatingIfNeeded: count)
        arenaCount = end
        return true
    }

    /// The rows as a batch, which owns its memory: a copy of the scratch memory, or the buffers, trimmed to size.
    mutating func finish(kinds: [ColumnKind], hasMore: Bool) -> RowBatch {
        let words = rows * stride
        if !ownsCells, !ownsArena {
            let block: UnsafeMutablePointer<UInt64> = allocate(words + (arenaCount + 7) / 8)
            block.update(from: cells, count: words)
            let bytes = UnsafeMutableRawPointer(block + words).assumingMemoryBound(to: UInt8.self)
            bytes.update(from: arena, count: arenaCount)
            return batch(kinds, hasMore, block, bytes, isOneBlock: true)
        }
        // If a buffer cannot be shrunk, it keeps its size.
        let ownCells = ownsCells ? reallocated(cells, words) ?? cells : copied(cells, words)
        let ownArena = ownsArena ? reallocated(arena, arenaCount) ?? arena : copied(arena, arenaCount)
        return batch(kinds, hasMore, ownCells, ownArena, isOneBlock: false)
    }

    private func batch(
        _ kinds: [ColumnKind],
        _ hasMore: Bool,
        _ cells: UnsafeMutablePointer<UInt64>,
        _ arena: UnsafeMutablePointer<UInt8>,
        isOneBlock: Bool
    ) -> RowBatch {
        RowBatch(
            kinds: kinds,
            count: rows,
            hasMore: hasMore,
            cells: cells,
            arena: arena,
            arenaByteCount: arenaCount,
            isOneBlock: isOneBlock
        )
    }
}

/// Allocates a batch's small buffer.
private func allocate<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
    guard let memory: UnsafeMutablePointer<Element> = reallocated(nil, count) else {
        fatalError("There is no memory for a few rows of a fetch: the process has used all it may have.")
    }
    return memory
}

/// A copy of a small buffer.
private func copied<Element>(
    _ source: UnsafeMutablePointer<Element>,
    _ count: Int
) -> UnsafeMutablePointer<Element> {
    let copy: UnsafeMutablePointer<Element> = allocate(count)
    copy.update(from: source, count: count)
    return copy
}

/// Resizes the buffer, nil for a new one; returns nil, with the buffer unchanged, if there is not enough memory.
private func reallocated<Element>(
    _ pointer: UnsafeMutablePointer<Element>?,
    _ count: Int
) -> UnsafeMutablePointer<Element>? {
    realloc(pointer, max(1, count) * MemoryLayout<Element>.stride)?.bindMemory(to: Element.self, capacity: count)
}
