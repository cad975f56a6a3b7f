// The configurations of a model: named lists of its entities.
import Foundation
import GraphModel

extension NSManagedObjectModel {
    /// The name of the configuration that holds all entities, as in Apple's frameworks.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The name of that configuration in Xcode's editor, which programs pass to coordinators, too.
    private static let editorsDefaultName = "Default"

    /// The names of the configurations; the default one, which holds all entities, is not listed.
    public var configurations: [String] {
        configurationEntities.map(\.name)
    }

    /// The entities of a configuration.
    ///
    /// - Parameter configuration: The name, or nil for all entities; `Default`, the name in Xcode's editor, also stands
    ///   for all of them, unless the model has a configuration of that name.
    /// - Returns: The entities, or nil if there is no such configuration.
    public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
        let listed = configurationEntities.first { $0.name == configuration }?.entities
        return listed ?? (configuration == Self.editorsDefaultName ? entities : nil)
    }

    /// Makes or replaces a configuration.
    ///
    /// - Parameters:
    ///   - entities: Entities of this model.
    ///   - configuration: The name.
    public func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireEditable(isEditable, "configuration \(configuration)")
        for entity in entities {
            precondition(
                entity.owner === self,
                "Entity \(entity.displayName) is not part of the model: add it before naming it in a configuration."
            )
        }
        if let index = configurationEntities.firstIndex(where: { $0.name == configuration }) {
            configurationEntities[index].entities = entities
        } else {
            configurationEntities.append((configuration, entities))
        }
    }

    /// The part of the model that a store of a configuration holds; all of it for none.
    package final func part(_ configuration: String?) -> Model {
        let model = schema
        guard let entities = entities(forConfigurationName: configuration) else { return model }
        return model.part(listing: entities.compactMap(\.name))
    }

    /// The part of the model that a SQLite store of a configuration holds if it held other entities before.
    ///
    /// Entities that it holds although its configuration omits them stay in it: it was made without a configuration or
    /// with another one, and their rows must not be lost.
    ///
    /// - Parameters:
    ///   - configuration: The configuration's name, or nil for all entities.
    ///   - stored: The version hashes in the store's metadata.
    /// - Returns: The entities of the configuration, and those of the model that the store holds.
    package final func part(_ configuration: String?, keeping stored: [String: Data]) -> Model {
        let part = part(configuration)
        let names = Set(part.entities.map(\.name))
        let model = schema
        let kept = model.entities.filter { entity in
            !names.contains(entity.name)
                && (stored[entity.name] != nil || entity.renamingIdentifier.map { stored[$0] != nil } == true)
        }
        return kept.isEmpty ? part : model.part(listing: names + kept.map(\.name))
    }
}
