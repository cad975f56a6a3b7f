/// A session that can explain how it runs a fetch.
package protocol ExplainingReadSession: ReadSession {
    /// Runs a fetch (of rows, of `columns`, or of their number), and returns its plan and cost.
    ///
    /// Throws the errors of the fetch.
    func explain(_ fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws -> FetchExplanation
}
