// Row batches built from values instead of a statement's result. Used by stores without tables.
import Foundation

extension RowBatch {
    /// Creates a batch of rows.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the columns.
    ///   - rows: A value for each column; a value whose kind differs from its column's becomes NULL.
    /// - Throws: `EngineError` of the kind `outOfMemory`.
    package convenience init(kinds: [ColumnKind], rows: [[RowValue]]) throws {
        let nullWords = RowBatch.nullWords(kinds.count)
        let stride = nullWords + kinds.count
        let byteCount = rows.joined().reduce(0) { $0 + $1.byteCount }
        // The batch takes ownership and frees them.
        let cells = calloc(max(1, rows.count * stride), 8)
        let arena = malloc(max(1, byteCount))
        guard let cells = cells?.assumingMemoryBound(to: UInt64.self),
            let arena = arena?.assumingMemoryBound(to: UInt8.self)
        else {
            free(cells)
            free(arena)
            throw EngineError(
                .outOfMemory,
                "there is not enough memory for \(rows.count) rows; fetch in batches, or with a limit"
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
                case (.integer, .key(let key)): cells[place] = UInt64(bitPattern: key.primaryKey)
                case (.real, .real(let real)): cells[place] = real.bitPattern
                case (.real, .integer(let integer)): cells[place] = Double(integer).bitPattern
                case (.text, .string), (.text, .url), (.text, .decimal), (.blob, .data), (.uuid, .data), (.uuid, .uuid):
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

extension RowValue {
    fileprivate var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .uuid: 16
        case .url(let url): url.absoluteString.utf8.count
        case .decimal(let decimal): decimal.description.utf8.count
        case .null, .integer, .real, .key: 0
        }
    }

    fileprivate func copyBytes(to place: UnsafeMutablePointer<UInt8>) -> Int {
        switch self {
        case .string(let text): copy(text, to: place)
        case .url(let url): copy(url.absoluteString, to: place)
        case .decimal(let decimal): copy(decimal.description, to: place)
        case .uuid(let uuid):
            withUnsafeBytes(of: uuid.uuid) { for (offset, byte) in $0.enumerated() { place[offset] = byte } }
        case .data(let data):
            data.copyBytes(to: place, count: data.count)
        case .null, .integer, .real, .key: break
        }
        return byteCount
    }

    private func copy(_ text: String, to place: UnsafeMutablePointer<UInt8>) {
        for (offset, byte) in text.utf8.enumerated() { place[offset] = byte }
    }
}
