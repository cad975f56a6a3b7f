// The key of an object in a migration, which does not retain it.

/// Identifies an object of one side in 8 bytes; the same over several runs of one manager.
package struct MigrationKey: Hashable {
    private let word: Int64

    /// - Parameters:
    ///   - entity: The index of the entity in its model, below 32,768.
    ///   - primaryKey: The key, below 2^47; negative for an object that was never saved.
    package init(entity: Int32, primaryKey: Int64) { word = (Int64(entity) << 48) | (primaryKey & 0xFFFF_FFFF_FFFF) }

    init(_ object: NSManagedObject) {
        let key = object.objectID.key
        self.init(entity: key.entity, primaryKey: key.primaryKey)
    }

    package var entity: Int32 { Int32(word >> 48) }
    package var primaryKey: Int64 { (word << 16) >> 16 }
    var isTemporary: Bool { primaryKey < 0 }
}
