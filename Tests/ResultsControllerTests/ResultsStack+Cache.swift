// Helpers for the tests of cache files and of several contexts.
import Foundation
import GraphSupport
import ManagedGraph

extension ResultsStack {
    /// A controller with cached sections, in the given context.
    func cached(
        _ name: String,
        in context: NSManagedObjectContext,
        sort: [String] = ["location.name", "text"],
        sections: String? = "location.name",
        where format: String? = nil,
        batchSize: Int = 20
    ) -> NSFetchedResultsController<ResultTask> {
        let request = NSFetchRequest<ResultTask>(entityName: "Task")
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = format.map { NSPredicate(format: $0) }
        request.fetchBatchSize = batchSize
        return NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: sections,
            cacheName: name
        )
    }

    /// Another context of the same coordinator.
    func sibling() -> NSManagedObjectContext { coordinator.makeContext() }
}
