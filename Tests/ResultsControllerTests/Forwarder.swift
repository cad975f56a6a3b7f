// A delegate between a controller and another delegate, which has none of the methods.
import Foundation
import ManagedGraph

/// Records each call, and forwards it to a delegate that lacks the method.
final class Forwarder: NSFetchedResultsControllerDelegate {
    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    private final class Target: NSFetchedResultsControllerDelegate {}

    private let target: any NSFetchedResultsControllerDelegate = Target()
    var calls: [String] = []

    func controllerWillChangeContent(_ controller: Controller) {
        calls.append("will")
        target.controllerWillChangeContent(controller)
    }

    func controller(
        _ controller: Controller,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        calls.append("section")
        target.controller(controller, didChange: sectionInfo, atSectionIndex: sectionIndex, for: type)
    }

    func controller(
        _ controller: Controller,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        calls.append("object")
        target.controller(controller, didChange: anObject, at: indexPath, for: type, newIndexPath: newIndexPath)
    }

    func controllerDidChangeContent(_ controller: Controller) {
        calls.append("did")
        target.controllerDidChangeContent(controller)
    }

    func controller(_ controller: Controller, sectionIndexTitleForSectionName sectionName: String) -> String? {
        calls.append("title")
        return target.controller(controller, sectionIndexTitleForSectionName: sectionName)
    }
}
