// Writes changed metadata in the transaction of a save.
import Foundation
import GraphEngine
import GraphModel

extension SQLiteWriter {
    /// Writes the metadata if a user has changed them, in the transaction of a save.
    func writeMetadataIfChanged() throws {
        guard var values = engine.host?.takeChangedMetadata() else { return }
        tookMetadata = true
        values[StoreMetadata.Key.storeUUID] = nil
        guard !(values as NSDictionary).isEqual(to: engine.savedMetadata.values) else { return }
        var written = engine.savedMetadata.withUserValues(values)
        // Another process may have finished a deferred migration meanwhile.
        DeferredMigration.copy(from: try StoreFile.readMetadata(connection).values, to: &written.values)
        try StoreFile.writeMetadata(written, connection)
        writtenMetadata = written
    }

    /// Called when the transaction has ended: keeps the metadata it wrote, or marks them as changed again.
    func noteMetadataWritten(_ isCommitted: Bool) {
        if isCommitted {
            if let writtenMetadata { engine.savedMetadata = writtenMetadata }
        } else if tookMetadata {
            engine.host?.keepChangedMetadata()
        }
        (writtenMetadata, tookMetadata) = (nil, false)
    }
}
