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

/// A named subset of a model's entities.
package struct Configuration: Sendable, Hashable {
    package var name: String
    package var entityNames: [String]

    package init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}

/// A stored fetch request: a model's template, or the request of a fetched property.
package struct FetchRequestTemplate: Sendable, Hashable {
    package var name: String
    package var entityName: String
    package var predicateFormat: String?
    /// Sort descriptors as (key, ascending).
    package var sortKeys: [SortKey]
    package var fetchLimit: Int
    package var fetchBatchSize: Int
    /// The raw value of `NSFetchRequestResultType`.
    package var resultType: Int
    package var includesSubentities: Bool
    package var includesPropertyValues: Bool
    package var returnsObjectsAsFaults: Bool
    package var returnsDistinctResults: Bool
    package var includesPendingChanges: Bool

    package init(
        name: String,
        entityName: String,
        predicateFormat: String? = nil,
        sortKeys: [SortKey] = [],
        fetchLimit: Int = 0,
        fetchBatchSize: Int = 0,
        resultType: Int = 0,
        includesSubentities: Bool = true,
        includesPropertyValues: Bool = true,
        returnsObjectsAsFaults: Bool = true,
        returnsDistinctResults: Bool = false,
        includesPendingChanges: Bool = true
    ) {
        self.name = name
        self.entityName = entityName
        self.predicateFormat = predicateFormat
        self.sortKeys = sortKeys
        self.fetchLimit = fetchLimit
        self.fetchBatchSize = fetchBatchSize
        self.resultType = resultType
        self.includesSubentities = includesSubentities
        self.includesPropertyValues = includesPropertyValues
        self.returnsObjectsAsFaults = returnsObjectsAsFaults
        self.returnsDistinctResults = returnsDistinctResults
        self.includesPendingChanges = includesPendingChanges
    }
}

/// One key of a stored sort order.
package struct SortKey: Sendable, Hashable {
    package var key: String
    package var ascending: Bool

    package init(key: String, ascending: Bool) {
        self.key = key
        self.ascending = ascending
    }
}
