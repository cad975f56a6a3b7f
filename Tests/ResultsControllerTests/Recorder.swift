// A delegate that records the changes of a results controller.
import Foundation
import ManagedGraph

/// Records every call.
final class Recorder: NSFetchedResultsControllerDelegate {
    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    var calls: [String] = []
    var sections: [any NSFetchedResultsSectionInfo] = []
    var onWillChange: (Controller) -> Void = { _ in }
    var onDidChange: (Controller) -> Void = { _ in }

    func controllerWillChangeContent(_ controller: Controller) {
        calls.append("will")
        onWillChange(controller)
    }

    func controller(
        _ controller: Controller,
        didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        sections.append(sectionInfo)
        calls.append("\(type) section \(sectionInfo.name) \(sectionIndex)")
    }

    func controller(
        _ controller: Controller,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        let text = (anObject as? NSManagedObject)?.value(forKey: "text") as? String ?? "?"
        let old = indexPath.map { " \($0.section),\($0.row)" } ?? ""
        let new = newIndexPath.map { " to \($0.section),\($0.item)" } ?? ""
        calls.append("\(type) \(text)\(old)\(new)")
    }

    func controllerDidChangeContent(_ controller: Controller) {
        calls.append("did")
        onDidChange(controller)
    }
}
