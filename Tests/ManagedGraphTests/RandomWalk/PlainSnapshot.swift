// The expected state of contexts, computed without the framework: rows in dictionaries, relationships maintained by
// hand on both sides. Beside `PlainWorld`.
import Foundation

struct PlainSnapshot: Equatable {
    var world: PlainWorld
    var changed: Set<PlainContext.Cell>
    var hasStructure: Bool
}
