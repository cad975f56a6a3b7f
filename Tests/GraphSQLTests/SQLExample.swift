// A predicate with the SQL that it must be translated to. Used by SQLTextTests.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQL
import Testing

/// A predicate, its SQL after `SELECT t0.Z_PK FROM ZTASK t0`, its values, and the keys of the matching rows.
struct SQLExample: Sendable, CustomTestStringConvertible {
    var format: String
    var sql: String
    var bindings: [SQLValue]
    var keys: [Int64]

    init(_ format: String, _ sql: String, _ bindings: [SQLValue], _ keys: [Int64]) {
        self.format = format
        self.sql = sql
        self.bindings = bindings
        self.keys = keys
    }

    var testDescription: String { format }
}
