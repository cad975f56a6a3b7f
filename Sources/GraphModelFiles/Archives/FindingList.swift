// The warnings that the reader of compiled models collects, and the places they belong to.
import Foundation
import GraphArchives
import GraphModel

/// Collects warnings about parts of a compiled model that are left out or replaced.
///
/// These are never errors, because the compiler accepted the model.
final class FindingList {
    private(set) var all: [ModelProblem] = []

    func add(_ kind: ModelProblem.Kind, _ reason: String, _ entity: String? = nil, _ property: String? = nil) {
        all.append(ModelProblem(kind, level: .warning, entity: entity, property: property, reason: reason + "."))
    }

    /// Sets the entity and property of the findings after the first `count` if they have none.
    func locate(after count: Int, entity: String, property: String) {
        for index in all.indices.dropFirst(count) {
            all[index].entity = all[index].entity ?? entity
            all[index].property = all[index].property ?? property
        }
    }
}
