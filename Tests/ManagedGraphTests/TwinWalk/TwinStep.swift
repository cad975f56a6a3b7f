// One step of a random walk, as printed and replayed. A step refers to objects by serial number; if an object does not
// exist, because another step was removed from the sequence, the step does nothing.
import Foundation

/// An operation, its context, and whether all objects are compared afterwards.
struct TwinStep: Hashable, CustomStringConvertible {
    var context: Int
    var operation: WalkOperation
    var looks: Bool

    var description: String { "context \(context): \(operation)\(looks ? "" : " (unseen)")" }
}
