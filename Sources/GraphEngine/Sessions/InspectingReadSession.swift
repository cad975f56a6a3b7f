// Reading a store's content: values in, values out. Beside `ReadSession`.

/// A session of an engine that keeps rows in tables and can show them as they are stored.
package protocol InspectingReadSession: ReadSession {
    /// The row of an object; nil if it does not exist.
    func inspect(layout: EntityLayout, primaryKey: Int64) throws -> InspectedRow?
}
