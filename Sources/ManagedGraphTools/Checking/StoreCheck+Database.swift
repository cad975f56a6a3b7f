// The check of a store in a database: its engine compares the tables with the model, and the objects are walked as those
// of a file. Called by StoreChecker.
import Foundation
import GraphEngine
import GraphModel
import ManagedGraph

extension StoreCheck {
    /// Checks the store at an address.
    func checkDatabase(_ type: String, _ modelFile: URL?) throws {
        let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        try findModel(modelFile)
        guard let resolvedModel else { return }
        let options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: resolvedModel.model)
        let store = try coordinator.addPersistentStore(
            ofType: type,
            configurationName: resolvedModel.configuration,
            at: url,
            options: options
        )
        defer { try? coordinator.remove(store) }
        if let engine = (store as? any EngineStore)?.engine as? any DatabaseEngine {
            try CoreDataError.mapping(url) {
                let facts = try engine.facts()
                report.history = StoreReport.History(transactions: facts.transactions, changes: facts.changes)
                for finding in try engine.findings() {
                    let list: ReferenceWritableKeyPath<StoreCheck, Findings> = finding.isNote ? \.notes : \.problems
                    self[keyPath: list].add(finding.text, kind: finding.kind)
                }
            }
        }
        try walkObjects(resolvedModel, type: type, options: options)
    }
}
