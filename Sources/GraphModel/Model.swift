// The schema as values: the content of a model file, without behaviour. Built by GraphModelFiles and
// NSManagedObjectModel; read by GraphSQL (tables), GraphCodeGeneration (classes) and ManagedGraph (layouts).
import Foundation

/// A managed object model: its entities, configurations and fetch request templates.
package struct Model: Sendable, Hashable {
    /// The entities in the order of the file.
    package var entities: [Entity]
    /// Configurations in the order of the file, without the unnamed default.
    package var configurations: [Configuration]
    package var fetchRequestTemplates: [FetchRequestTemplate]
    package var versionIdentifiers: [String]

    package init(
        entities: [Entity] = [],
        configurations: [Configuration] = [],
        fetchRequestTemplates: [FetchRequestTemplate] = [],
        versionIdentifiers: [String] = []
    ) {
        self.entities = entities
        self.configurations = configurations
        self.fetchRequestTemplates = fetchRequestTemplates
        self.versionIdentifiers = versionIdentifiers
    }

    /// The entity with this name.
    ///
    /// O(n).
    package func entity(named name: String) -> Entity? {
        entities.first { $0.name == name }
    }
}
