// The locations, with a check mark next to the one of the task.
import CoreData
import Foundation
import TableScreens

/// Chooses a task's location; + adds one, and the detail button renames one.
struct EditLocationScreen: Screen {
    let path = "task/:task/location"

    func page(at place: Place) throws -> Page {
        let task = try place.object(Task.self, "task")
        let request: NSFetchRequest<Location> = Location.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
        ]
        request.fetchBatchSize = 40
        return Page(
            title: "Location",
            back: Link("Task Detail", to: place.link(["task", .object(task)])),
            buttons: [.addLink(label: "New Location", to: place.link(["task", .object(task), "location", "new"]))],
            table: .fetched(
                request,
                of: task,
                refreshedBy: ["Task"],
                allowsDelete: true,
                emptyText: "No locations. Add one with +."
            ) { location in
                let current = try? place.object(Task.self, "task").location
                return Row(
                    id: place.reference(location),
                    title: RowText(location.name, placeholder: "Untitled"),
                    isChecked: current == location,
                    detail: place.link(["task", .object(task), "location", .object(location)]),
                    action: .choose(place.reference(location))
                )
            }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        let task = try place.object(Task.self, "task")
        let location = try place.object(Location.self, in: action)
        switch action.name {
        case "choose":
            task.location = location
            try place.context.save()
            return .open(place.link(["task", .object(task)]))
        case "delete":
            place.context.delete(location)
            try place.context.save()
            return .stay
        default:
            throw ScreenError.unknownAction(action.name)
        }
    }
}
