// The capability of an engine whose rows can be read without objects. Used by the tools.

/// An engine whose read sessions are `ExchangeReadSession`s.
package protocol ExchangeEngine: StoreEngine {
    /// Throws the error of the translation if the tables cannot answer a fetch of rows, of `columns`, or of their number.
    func checkTranslation(of fetch: StoreFetch, columns: ColumnFetch?, isCount: Bool) throws
}
