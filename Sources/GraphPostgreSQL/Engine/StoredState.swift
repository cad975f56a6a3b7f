// The row of the table _store.
import Foundation
import GraphEngine

/// A store's identity and version.
package struct StoredState: Sendable {
    package var metadata: StoreMetadata
    /// The version of the store's own tables.
    var version: Int64
    /// The number of migrations there have been.
    var generation: Int64 = 0
    /// The model that the store contains, as an archive.
    package var model: Data?
    /// The schema of other programs' tables that have the rows; nil if the store's own tables have them.
    package var tables: String?

    /// The profile of the store.
    package var profile = StoreProfile.standard

    init(
        metadata: StoreMetadata,
        version: Int64,
        generation: Int64 = 0,
        model: Data? = nil,
        tables: String? = nil,
        profile: StoreProfile = .standard
    ) {
        self.metadata = metadata
        self.version = version
        self.generation = generation
        self.model = model
        self.tables = tables
        self.profile = profile
    }
}
