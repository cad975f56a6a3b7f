// Version hashes of a whole model. Called when a store is opened or written, and by NSManagedObjectModel. Never fails:
// `problems()` rejects a model whose superentities form a cycle.
import Foundation
import GraphArchives

extension Model {
    /// The version hash of each entity by its name, 32 bytes each.
    ///
    /// O(n) in the number of properties.
    package func versionHashes() -> [String: Data] {
        hashesByEntity().mapValues { Data($0) }
    }

    /// The value of `NSStoreModelVersionChecksumKey` in a store's metadata.
    package func versionChecksum() -> String {
        Self.checksum(of: versionHashes())
    }

    /// The checksum of a model with these version hashes.
    ///
    /// - Parameter hashes: 32 bytes each, by entity name.
    /// - Returns: Base 64, as `versionChecksum()`.
    package static func checksum(of hashes: [String: Data]) -> String {
        let sorted = hashes.sorted { VersionHashing.precedes($0.key, $1.key) }
        return Data(SHA256.digest(sorted.flatMap { Array($0.value) })).base64EncodedString()
    }

    /// The version hash of one property, 32 bytes.
    ///
    /// - Parameter property: A property of any entity; inheritance does not affect its hash.
    /// - Returns: The 32 bytes of `NSPropertyDescription.versionHash`.
    package func hash(of property: Property) -> Data {
        property.versionHash
    }

    /// The value of `NSStoreModelVersionHashesDigest` in the metadata of a model with these version hashes.
    ///
    /// - Parameter hashes: 32 bytes each, by entity name.
    /// - Returns: Base 64.
    package static func digest(of hashes: [String: Data]) -> String {
        let sorted = hashes.sorted { VersionHashing.precedes($0.key, $1.key) }
        return Data(SHA512.digest(sorted.flatMap { Array($0.key.utf8) + $0.value })).base64EncodedString()
    }

    private func hashesByEntity() -> [String: [UInt8]] {
        ModelWork.current?.countHashing()
        let byName = entitiesByName()
        var hashes: [String: [UInt8]] = [:]
        // Subentities reuse the hashes of inherited properties.
        var properties: [String: [VersionHashing.NamedHash]] = [:]
        for entity in entities {
            // From the root down, so that each superentity's hash exists when it is needed.
            var inherited: [VersionHashing.NamedHash] = []
            for member in lineage(of: entity, in: byName) {
                if properties[member.name] == nil {
                    properties[member.name] = VersionHashing.hashes(ofStored: member.properties)
                }
                inherited += properties[member.name] ?? []
                guard hashes[member.name] == nil else { continue }
                hashes[member.name] = VersionHashing.hash(
                    of: member,
                    superentityHash: member.superentityName.flatMap { hashes[$0] },
                    properties: inherited
                )
            }
        }
        return hashes
    }
}

extension Property {
    /// The 32 bytes that `NSPropertyDescription.versionHash` returns.
    package var versionHash: Data { Data(VersionHashing.hash(of: self)) }
}
