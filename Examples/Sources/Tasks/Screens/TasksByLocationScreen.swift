// The tasks in sections by location.
import CoreData
import Foundation
import TableScreens

/// Sections by `location.name`; tasks without a location form a section of their own.
struct TasksByLocationScreen: Screen {
    let path = "locations"

    func page(at place: Place) throws -> Page {
        let request: NSFetchRequest<Task> = Task.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "location.name", ascending: true, selector: "localizedStandardCompare:"),
            // Names that the first descriptor takes for equal must not alternate, or a section would come twice.
            NSSortDescriptor(key: "location.name", ascending: true),
            NSSortDescriptor(key: "text", ascending: true, selector: "localizedStandardCompare:"),
        ]
        request.fetchBatchSize = 40
        return Page(
            title: "Tasks by Location",
            table: .fetched(
                request,
                sectionNameKeyPath: "location.name",
                refreshedBy: ["Location"],
                sectionTitle: { $0.isEmpty ? "No Location" : $0 },
                emptyText: "No tasks."
            ) { $0.row(at: place, showsLocation: false) }
        )
    }
}
