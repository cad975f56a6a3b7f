// Reports the entities whose objects changed in a context. Used by the row sources. The handler runs on the context's
// queue, because the notification is posted there.
import CoreData
import Foundation

final class ContextObserver {
    private let token: any NSObjectProtocol

    /// - Parameters:
    ///   - context: The context to observe.
    ///   - handler: Called with the names of the entities whose objects changed.
    init(_ context: NSManagedObjectContext, _ handler: @escaping (Set<String>) -> Void) {
        // The notification is posted and handled on the context's queue, so nothing is shared between threads.
        nonisolated(unsafe) let handler = handler
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange,
            object: context,
            queue: nil
        ) { notification in
            var names: Set<String> = []
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey] {
                for object in notification.userInfo?[key] as? Set<NSManagedObject> ?? [] {
                    if let name = object.entity.name { names.insert(name) }
                }
            }
            handler(names)
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}
