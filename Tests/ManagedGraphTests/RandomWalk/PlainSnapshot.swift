// The expected values of an object as a context has read them.
import Foundation

struct PlainSnapshot: Equatable {
    var world: PlainWorld
    var changed: Set<PlainContext.Cell>
    var hasStructure: Bool
}
