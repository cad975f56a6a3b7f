// A fetch request that a model file stores.
import Foundation

/// A stored fetch request: a model's template, or the request of a fetched property.
package struct FetchRequestTemplate: Sendable, Hashable {
    package var name: String
    package var entityName: String
    package var predicateFormat: String?
    /// Sort descriptors as (key, ascending).
    package var sortKeys: [SortKey]
    package var fetchLimit: Int
    package var fetchBatchSize: Int
    /// The raw value of `NSFetchRequestResultType`; see `resultTypes`.
    package var resultType: Int
    package var includesSubentities: Bool
    package var includesPropertyValues: Bool
    package var returnsObjectsAsFaults: Bool
    package var returnsDistinctResults: Bool
    package var includesPendingChanges: Bool

    /// The raw values that exist: of objects, identifiers, dictionaries and counts.
    package static let resultTypes: Set = [0, 1, 2, 4]

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
