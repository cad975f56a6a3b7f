// A failure of a server of the tests: it could not be made, started or asked.

/// An error of a server or its programs.
package struct PostgreSQLServerError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
