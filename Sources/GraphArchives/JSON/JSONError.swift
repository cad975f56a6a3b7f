// Damage in JSON and in CSV, whose readers share a form of message. Thrown by JSONReader and by readers of tables.

/// Why a text is no JSON, and where.
package struct JSONError: Error {
    package let reason: String
    /// Bytes before the place.
    package let position: Int

    package init(reason: String, position: Int) {
        self.reason = reason
        self.position = position
    }
}
