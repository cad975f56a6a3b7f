// Checks of stores that are not databases: the framework reads them as a whole, and their objects are walked.
import Foundation
import GraphEngine
import GraphModel
import GraphSQLite
import ManagedGraph

extension StoreCheck {
    /// The type of a non-SQLite store, judged by the start of the file; nil for any other file.
    func otherType() -> String? {
        guard let head = DatabaseFiles.head(url.path, count: 512) else { return nil }
        if head.starts(with: Data("CoreData".utf8)) { return "Binary" }
        let beginning = String(decoding: head, as: UTF8.self)
        return beginning.hasPrefix("<?xml") && beginning.contains("<!DOCTYPE database") ? "XML" : nil
    }

    func checkOtherStore(_ type: String, _ modelFile: URL?) throws {
        guard NSPersistentStoreCoordinator.registeredStoreTypes[type] != nil else {
            problems.add("Stores of the type \(type) are not read by this version. Convert the store to SQLite.")
            return
        }
        let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        metadata = StoreMetadata(uuid: values[NSStoreUUIDKey] as? String ?? "", values: values)
        try findModel(modelFile)
        guard let resolvedModel else { return }
        try walkObjects(resolvedModel, type: type, options: [NSReadOnlyPersistentStoreOption: true])
    }
}
