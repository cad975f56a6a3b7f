// The version hash of an entity.
import Foundation
import GraphModel

extension NSEntityDescription {
    /// The hash that distinguishes versions of the entity: 32 bytes.
    public var versionHash: Data {
        let name = name ?? ""
        if let hash = owner?.entityVersionHashesByName[name] { return hash }
        let lineage = Model(entities: lineage.map(\.schemaEntity))
        return lineage.versionHashes()[name] ?? Data()
    }
}
