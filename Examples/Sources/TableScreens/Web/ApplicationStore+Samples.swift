// Fills an application with its sample data, and empties it. Called at the first start and by the home page's menu.
import CoreData
import Foundation

extension ApplicationStore {
    /// Inserts the application's sample data.
    func fill() async throws {
        guard let insert = application.samples else { return }
        try await performInBackground { context in
            try insert(context)
            if context.hasChanges { try context.save() }
        }
        // Batch requests write to the store directly, which other contexts do not notice.
        try await perform { $0.context.refreshAllObjects() }
    }

    /// Deletes all objects; open forms are closed and a running job ends first.
    func empty() async throws {
        await jobs.close()
        dismissJob()
        await closeDrafts()
        try await performInBackground { context in
            let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
            for entity in entities where entity.superentity == nil {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                for object in try context.fetch(request) { context.delete(object) }
            }
            try context.save()
        }
    }
}
