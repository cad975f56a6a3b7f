// A predicate with the SQL that another dialect must have for it. Used by DialectTests.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import Testing

/// A predicate on tasks, and its SQL in the other dialect after `SELECT t0."Z_PK" FROM "ZTASK" t0 WHERE `.
struct DialectExample: Sendable, CustomTestStringConvertible {
    var format: String
    var sql: String

    init(_ format: String, _ sql: String) {
        self.format = format
        self.sql = sql
    }

    var testDescription: String { format }
}
