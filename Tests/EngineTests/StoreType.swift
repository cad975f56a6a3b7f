// The types of stores that the tests of the graph run with.
import Foundation
import ManagedGraph
import Testing

/// The type of the store under test.
enum StoreType: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case dictionary = "Dictionary"

    var testDescription: String { rawValue }
}
