// A walk: applies steps to contexts and to plain worlds, and compares them after each step. Beside `Walk`.
import Foundation
import ManagedGraph

struct WalkFailure: Error, CustomStringConvertible {
    var step: Int
    var text: String
    var description: String { "after step \(step): \(text)" }
}
