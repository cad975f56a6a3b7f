// Errors in JSON and in CSV, whose readers share a message format. Thrown by JSONReader and by readers of tables.

/// The reason and position of an error in JSON.
package struct JSONError: Error {
    package let reason: String
    /// The number of bytes before the error.
    package let position: Int

    package init(reason: String, position: Int) {
        self.reason = reason
        self.position = position
    }
}
