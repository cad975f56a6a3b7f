// A model as used by engines: the layouts of its entities. Built once when a model is compiled; immutable.

/// All entities of a model.
///
/// Kept for the life of the process, so that rows and requests can refer to entities without reference counting.
package final class ModelLayout: @unchecked Sendable {
    package let entities: [EntityLayout]
    package let trees: [TreeLayout]
    package let byName: [String: EntityLayout]

    package init(entities: [EntityLayout], trees: [TreeLayout]) {
        self.entities = entities
        self.trees = trees
        byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        for entity in entities { entity.model = self }
    }
}
