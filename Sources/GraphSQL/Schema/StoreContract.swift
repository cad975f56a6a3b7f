// The required content of a store that is opened with a model. Built by the persistent store for its engine.
import Foundation
import GraphEngine
import GraphModel

/// The content of a store that belongs to the model with which it is opened.
package struct StoreContract {
    /// The part of the model that is in this store.
    package var model: Model
    /// The metadata of a new store.
    package var metadata: StoreMetadata
    /// The model encoded for a new store.
    package var modelCache: () -> Data?
    /// Checks fetches against the whole model.
    package var checker: FetchChecker?
    /// Whether an entity of the model has a property that no table stores.
    package var isUnstored: @Sendable (_ entity: String, _ property: String) -> Bool

    package init(
        model: Model,
        metadata: StoreMetadata,
        modelCache: @escaping () -> Data? = { nil },
        checker: FetchChecker? = nil,
        isUnstored: @escaping @Sendable (_ entity: String, _ property: String) -> Bool = { _, _ in false }
    ) {
        self.model = model
        self.metadata = metadata
        self.modelCache = modelCache
        self.checker = checker
        self.isUnstored = isUnstored
    }
}
