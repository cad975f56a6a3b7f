// A coordinator with one store, of SQLite or of dictionaries, and helpers for the tests of the graph. Beside
// `EngineStack`.
import Foundation
import ManagedGraph
import Testing

/// The type of the store under test.
enum StoreType: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case dictionary = "Dictionary"

    var testDescription: String { rawValue }
}
