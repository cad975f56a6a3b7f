// Keys of new objects and their names in URIs. Created when the identifier of a new object is read; used by
// coordinators.
import Foundation
import GraphEngine

/// Keys of objects that were never saved: negative numbers, unique in the process.
enum TemporaryKeys {
    private static let counter = Counter()
    /// Makes the names of temporary identifiers unlike those of other runs.
    private static let seed = UUID().uuid

    /// The UUID by which a URI names a temporary key.
    static func name(_ primaryKey: Int64) -> UUID {
        let number = UInt64(bitPattern: primaryKey).bigEndian
        return withUnsafeBytes(of: number) { bytes in
            UUID(
                uuid: (
                    seed.0, seed.1, seed.2, seed.3, seed.4, seed.5, seed.6, seed.7, bytes[0], bytes[1], bytes[2],
                    bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
                )
            )
        }
    }

    /// The temporary key that a name stands for; nil if another process made it.
    static func primaryKey(named name: UUID) -> Int64? {
        let bits = withUnsafeBytes(of: name.uuid) { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
        let primaryKey = Int64(bitPattern: UInt64(bigEndian: bits))
        return primaryKey < 0 && self.name(primaryKey) == name ? primaryKey : nil
    }

    static func next(entity: Int) -> ObjectKey {
        ObjectKey(entity: Int32(truncatingIfNeeded: entity), store: -1, primaryKey: -counter.next())
    }
}
