// The addresses of the pictures of a table's objects. Created by screens for each page, used by the rows of the table on
// the context's queue.
import CoreData
import Foundation

/// The pictures of a table's objects, for thumbnails.
///
/// One statement finds the objects that have a picture. No picture is read until a browser shows it.
public final class Thumbnails {
    private let request: NSFetchRequest<NSManagedObjectID>
    private let attribute: String
    private weak var context: NSManagedObjectContext?
    /// The objects with a picture; nil if the context has changed since they were fetched.
    private var pictured: Set<NSManagedObjectID>?
    /// The number of changes of each object, so that browsers load a changed picture again.
    private var changes: [NSManagedObjectID: Int] = [:]
    /// Distinguishes these numbers from those of earlier tables.
    private let token = String(UInt32.random(in: .min ... .max), radix: 36)
    private var observer: (any NSObjectProtocol)?

    /// Creates the thumbnails of a table.
    ///
    /// - Parameters:
    ///   - request: The request of the table.
    ///   - attribute: The attribute with the picture, which is also the name of the field in the object's form.
    ///   - context: The context of the table.
    public init<Object: NSManagedObject>(
        of request: NSFetchRequest<Object>,
        attribute: String,
        in context: NSManagedObjectContext
    ) {
        self.request = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
        self.attribute = attribute
        self.context = context
        self.request.resultType = .managedObjectIDResultType
        let hasPicture = NSPredicate(format: "%K != nil", attribute)
        self.request.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [request.predicate, hasPicture].compactMap { $0 }
        )
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    /// Returns the address of an object's picture.
    ///
    /// - Parameters:
    ///   - object: An object of the table.
    ///   - form: The address of its form, which shows the picture.
    /// - Returns: The address, or nil if the object has no picture.
    /// - Complexity: O(1); O(objects of the table) for the first call after a change of the context.
    public func address(of object: NSManagedObject, form: String) -> String? {
        if pictured == nil {
            observe()
            pictured = Set((try? context?.fetch(request)) ?? [])
        }
        guard pictured?.contains(object.objectID) == true else { return nil }
        var address = Address(target: form)
        let version = "\(token).\(changes[object.objectID] ?? 0)"
        address.query += [(ScreenResponder.pictureKey, attribute), (ScreenResponder.stampKey, version)]
        return address.text
    }

    private func observe() {
        guard observer == nil else { return }
        // The notification is posted and handled on the context's queue, so nothing is shared between threads.
        nonisolated(unsafe) weak let thumbnails = self
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange,
            object: context,
            queue: nil
        ) { notification in
            thumbnails?.note(notification.userInfo ?? [:])
        }
    }

    private func note(_ userInfo: [AnyHashable: Any]) {
        pictured = nil
        for key in [NSUpdatedObjectsKey, NSRefreshedObjectsKey] {
            for object in userInfo[key] as? Set<NSManagedObject> ?? [] where object.entity.name == request.entityName {
                changes[object.objectID, default: 0] += 1
            }
        }
    }
}
