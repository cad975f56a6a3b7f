// The delegate of a results controller. Every method may be left out: off Apple a protocol cannot have optional
// methods, so the default implementations here note in the controller that the delegate has none of its own, and the
// controller does not call them again.
import Foundation

#if canImport(UIKit)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

/// Is told how the results of a controller change.
///
/// A controller whose delegate has none of the methods for changes does not follow its context. See
/// [NSFetchedResultsControllerDelegate](https://developer.apple.com/documentation/coredata/nsfetchedresultscontrollerdelegate).
public protocol NSFetchedResultsControllerDelegate: AnyObject {
    /// The results are about to change.
    ///
    /// - Parameter controller: The controller, whose results are still the old ones.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// A section has come or gone. Sections are reported before objects.
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

    /// An object has come, gone, moved or changed.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - anObject: The object.
    ///   - indexPath: Where it was before the changes; nil for an insertion.
    ///   - type: What has happened to it.
    ///   - newIndexPath: Where it is after the changes; nil for a deletion.
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

    /// The results have been fetched, or have changed.
    ///
    /// A delegate with this method gets none of the others for changes.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - snapshot: The names of the sections and the IDs of the objects, with those that have changed among
    ///     `reloadedItemIdentifiers`. IDs of objects that were never saved are temporary; after the save the method is
    ///     called again.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    )

    /// The results of a controller without sections have changed.
    ///
    /// Called where there is no section name key path and no method for snapshots. A delegate with this method then gets
    /// none of the first four.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - diff: How the object IDs have changed. An object that has only changed its values is removed and inserted.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    )

    /// The title of a section in the index beside the list.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionName: The name of the section.
    /// - Returns: The title; without this method it is the capitalised first letter of the name.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension NSFetchedResultsControllerDelegate {
    /// Stands for a delegate without this method.
    ///
    /// - Parameter controller: The controller.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        controller.tracker.missingMethods.insert(.willChange)
    }

    /// Stands for a delegate without this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionInfo: The section.
    ///   - sectionIndex: Its index.
    ///   - type: What has happened.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        controller.tracker.missingMethods.insert(.section)
    }

    /// Stands for a delegate without this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - anObject: The object.
    ///   - indexPath: Where it was.
    ///   - type: What has happened.
    ///   - newIndexPath: Where it is.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        controller.tracker.missingMethods.insert(.object)
    }

    /// Stands for a delegate without this method.
    ///
    /// - Parameter controller: The controller.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        controller.tracker.missingMethods.insert(.didChange)
    }

    /// Stands for a delegate without this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - snapshot: The results.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        controller.tracker.missingMethods.insert(.snapshot)
    }

    /// Stands for a delegate without this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - diff: How the object IDs have changed.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.tracker.missingMethods.insert(.difference)
    }

    /// Stands for a delegate without this method.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionName: The name of the section.
    /// - Returns: Nil, which the controller does not take for an answer.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        controller.tracker.missingMethods.insert(.indexTitle)
        return nil
    }
}

/// The methods of a delegate.
struct DelegateMethods: OptionSet {
    let rawValue: Int

    static let willChange = DelegateMethods(rawValue: 1)
    static let section = DelegateMethods(rawValue: 2)
    static let object = DelegateMethods(rawValue: 4)
    static let didChange = DelegateMethods(rawValue: 8)
    static let difference = DelegateMethods(rawValue: 16)
    static let indexTitle = DelegateMethods(rawValue: 32)
    static let snapshot = DelegateMethods(rawValue: 64)
    /// Those that are told of changes.
    static let changes: DelegateMethods = [.willChange, .section, .object, .didChange, .difference, .snapshot]
}
