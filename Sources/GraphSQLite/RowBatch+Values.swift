// Row batches made of values instead of a statement's result. Used by stores that have no tables.
import CSQLite
import Foundation
import GraphSQL

extension RowBatch {
    /// Makes a batch of rows.
    ///
    /// - Parameters:
    ///   - kinds: Kinds of the columns.
    ///   - rows: A value for each column; one of another kind than its column is NULL.
    /// - Throws: `SQLITE_NOMEM` where there is not enough memory.
    package convenience init(kinds: [ColumnKind], rows: [[SQLValue]]) throws {
        let nullWords = RowBatch.nullWords(kinds.count)
        let stride = nullWords + kinds.count
        let byteCount = rows.joined().reduce(0) { $0 + $1.byteCount }
        // Taken over by the batch, which frees them.
        let cells = calloc(max(1, rows.count * stride), 8)
        let arena = malloc(max(1, byteCount))
        guard let cells = cells?.assumingMemoryBound(to: UInt64.self),
            let arena = arena?.assumingMemoryBound(to: UInt8.self)
        else {
            free(cells)
            free(arena)
            throw SQLiteError(
                code: SQLITE_NOMEM,
                message: "there is not enough memory for \(rows.count) rows; fetch in batches, or with a limit",
                sql: ""
            )
        }
        var end = 0
        for (number, row) in rows.enumerated() {
            let start = number * stride
            for (column, kind) in kinds.enumerated() {
                let value = column < row.count ? row[column] : .null
                let place = start + nullWords + column
                switch (kind, value) {
                case (.integer, .integer(let integer)): cells[place] = UInt64(bitPattern: integer)
                case (.real, .real(let real)): cells[place] = real.bitPattern
                case (.real, .integer(let integer)): cells[place] = Double(integer).bitPattern
                case (.text, .text), (.blob, .blob), (.uuid, .blob):
                    let length = value.copyBytes(to: arena + end)
                    cells[place] = UInt64(end) << 31 | UInt64(length)
                    end += length
                default: cells[start + column >> 6] |= 1 << UInt64(column & 63)
                }
            }
        }
        self.init(
            kinds: kinds,
            count: rows.count,
            hasMore: false,
            cells: cells,
            arena: arena,
            arenaByteCount: byteCount
        )
    }
}

extension SQLValue {
    fileprivate var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let data): data.count
        case .null, .integer, .real: 0
        }
    }

    fileprivate func copyBytes(to place: UnsafeMutablePointer<UInt8>) -> Int {
        switch self {
        case .text(let text):
            for (offset, byte) in text.utf8.enumerated() { place[offset] = byte }
        case .blob(let data):
            data.copyBytes(to: place, count: data.count)
        case .null, .integer, .real: break
        }
        return byteCount
    }
}
