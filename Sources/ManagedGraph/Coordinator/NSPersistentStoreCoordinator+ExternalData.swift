// Large binary values in files of their own, as an object reads them. Called when a cell is read.
import Foundation
import GraphEngine

extension NSPersistentStoreCoordinator {
    /// A large binary value: a first byte of 1 says that the data follow, of 2 that a file holds them.
    static func externalData(_ stored: Data, _ column: Int, of object: NSManagedObject) -> Data? {
        guard let name = LargeValue.name(in: stored) else { return LargeValue.inlineData(in: stored) }
        guard let store = object.registry?.coordinator?.rowStore(at: object.key.store) else { return nil }
        do {
            if let data = try store.externalData(named: name) { return data }
            // The value was replaced since the row was read, and its file removed: use the current value.
            let (data, isGone) = try store.reading { session -> (Data?, Bool) in
                let now = try session.rows(tree: object.layout.tree, keys: [object.key.primaryKey])
                guard now.count == 1 else { return (nil, true) }
                guard !now.isNull(column, 0) else { return (nil, false) }
                let stored = now.data(column, 0)
                guard let name = LargeValue.name(in: stored) else {
                    return (LargeValue.inlineData(in: stored), false)
                }
                return (try store.externalData(named: name), false)
            }
            if data == nil, !isGone {
                Diagnosis.log.error("The file \(name) of \(object.describeForMessages) is missing beside the store.")
            }
            return data
        } catch {
            let subject = "The file \(name) of \(object.describeForMessages)"
            if let context = object.managedObjectContext {
                context.noteFailedRead(of: subject, error)
            } else {
                Diagnosis.log.error("\(subject) could not be read: \(error)")
            }
            return nil
        }
    }
}
