// Decoding of results into a RowBatch: the hot path of every fetch. Makes a plan of the columns' types, which
// BatchDecoder runs. Called by the store's fetches.
import GraphEngine

extension PostgreSQLResult {
    /// Decodes the rows, or the first `maximumRows`.
    ///
    /// Columns beyond the kinds are ignored. O(rows × columns).
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the first columns.
    ///   - maximumRows: The number of rows that the batch may have; `hasMore` is true if the result has more.
    /// - Returns: The rows, independent of this result.
    /// - Throws: `PostgreSQLError` if a column's type does not fit its kind, or a value is not valid.
    package func batch(kinds: [ColumnKind], maximumRows: Int = .max) throws -> RowBatch {
        guard kinds.count <= columnCount else {
            throw PostgreSQLError(
                state: "42804",
                message: "\(kinds.count) columns were requested of a result with \(columnCount)"
            )
        }
        let rows = min(count, maximumRows)
        let plan = try kinds.indices.map { column in
            guard let step = CellStep(kinds[column], type(column)) else {
                throw mismatch(column, 0, "\(kinds[column])")
            }
            return step
        }
        var decoder = try BatchDecoder(self, rows: rows, plan: plan)
        let fault = plan.withUnsafeBufferPointer { decoder.decode($0) }
        if let fault {
            decoder.discard()
            throw decoder.error(fault) ?? mismatch(fault.column, fault.row, "\(kinds[fault.column])")
        }
        return decoder.finish(kinds: kinds, hasMore: count > rows)
    }
}
