// The classes that a model's entities name, each once, with their properties and superclasses. Built from the schema;
// used by the writers. Independent of sources.
import GraphModel

/// A class that one or more entities name.
package struct EntityClass: Sendable {
    package var name: String
    /// The entities that name the class, with the places of their models; `fetchRequest()` uses the first.
    package var entities: [(model: Int, entity: Entity)]
    package var codeGeneration: CodeGeneration
    package var superclass: String
    /// The properties that the class itself declares, sorted by name.
    package var properties: [Property]

    /// The name of the entity that `fetchRequest()` fetches.
    var entityName: String { entities[0].entity.name }
}
