// The error for a walk whose contexts differ from the expected state.
import Foundation
import ManagedGraph

struct WalkFailure: Error, CustomStringConvertible {
    var step: Int
    var text: String
    var description: String { "after step \(step): \(text)" }
}
