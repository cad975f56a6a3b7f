// The delegate of a results controller. All methods are optional. Outside Apple's platforms, protocols have no optional
// methods, so each default implementation here records in the controller that the delegate lacks the method, and the
// controller does not call it again.
import Foundation

#if canImport(UIKit)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

/// Receives the changes of a controller's results.
///
/// A controller whose delegate implements none of the methods for changes does not follow its context. See
/// [NSFetchedResultsControllerDelegate](https://developer.apple.com/documentation/coredata/nsfetchedresultscontrollerdelegate).
public protocol NSFetchedResultsControllerDelegate: AnyObject {
    /// The results are about to change.
    ///
    /// - Parameter controller: The controller, which still has the old results.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// A section was inserted or deleted; sections are reported before objects.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionInfo: The section.
    ///   - sectionIndex: Its index: before the changes for a deletion, after them for an insertion.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    )

    /// An object was inserted, deleted, moved or updated.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - anObject: The object.
    ///   - indexPath: Its index path before the changes; nil for an insertion.
    ///   - type: The kind of change.
    ///   - newIndexPath: Its index path after the changes; nil for a deletion.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// The results have changed, and all changes have been reported.
    ///
    /// - Parameter controller: The controller.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// The results were fetched or have changed.
    ///
    /// A delegate that implements this method receives no other method for changes.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - snapshot: The names of the sections and the IDs of the objects, with the changed ones among
    ///     `reloadedItemIdentifiers`. Unsaved objects have temporary IDs; the method is called again after the save.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    )

    /// The results of a controller without sections have changed.
    ///
    /// Called if the controller has no section name key path and the delegate does not implement the snapshot method.
    /// The delegate then receives none of the first four methods.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - diff: The changes of the object IDs. An object whose values alone have changed is removed and inserted.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    )

    /// The title of a section in the list's index.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionName: The name of the section.
    /// - Returns: The title; without this method, the capitalized first letter of the name.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension NSFetchedResultsControllerDelegate {
    /// Records that the delegate lacks this method.
    ///
    /// - Parameter controller: The controller.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        lacks(.willChange, controller)
    }

    /// Records that the delegate lacks this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionInfo: The section.
    ///   - sectionIndex: Its index.
    ///   - type: The kind of change.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        lacks(.section, controller)
    }

    /// Records that the delegate lacks this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - anObject: The object.
    ///   - indexPath: The old index path.
    ///   - type: The kind of change.
    ///   - newIndexPath: The new index path.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        lacks(.object, controller)
    }

    /// Records that the delegate lacks this method.
    ///
    /// - Parameter controller: The controller.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        lacks(.didChange, controller)
    }

    /// Records that the delegate lacks this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - snapshot: The results.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        lacks(.snapshot, controller)
    }

    /// Records that the delegate lacks this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - diff: The changes of the object IDs.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        lacks(.difference, controller)
    }

    /// Records that the delegate lacks this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionName: The name of the section.
    /// - Returns: Nil, which the controller ignores.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        lacks(.indexTitle, controller)
        return nil
    }

    /// Notes that the controller need not call a method again.
    ///
    /// The controller's delegate may forward its calls to an object that lacks the method: the delegate has it.
    private func lacks(
        _ method: DelegateMethods,
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        if controller.tracker.delegate === self { controller.tracker.missingMethods.insert(method) }
    }
}
