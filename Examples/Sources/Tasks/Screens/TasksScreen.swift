// The list of tasks with its toolbar.
import CoreData
import Foundation
import TableScreens

/// All tasks, or those of high priority, by text.
struct TasksScreen: Screen {
    let path = ""
    let queryKeys = ["show", "order"]

    func page(at place: Place) throws -> Page {
        let isHighPriority = place.query["show"] == "hi-pri"
        let isDescending = place.query["order"] == "dsc"
        let request: NSFetchRequest<Task> = Task.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "text", ascending: !isDescending, selector: "localizedStandardCompare:")
        ]
        request.predicate = isHighPriority ? NSPredicate(format: "priority == 3") : nil
        request.fetchBatchSize = 40
        return Page(
            title: "Tasks",
            buttons: [.addAction(label: "New Task", action: "insert")],
            table: .fetched(
                request,
                allowsDelete: true,
                emptyText: isHighPriority ? "No tasks of high priority." : "No tasks. Add one with +."
            ) { $0.row(at: place) },
            toolbar: toolbar(place, isHighPriority, isDescending)
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        switch action.name {
        case "insert":
            let task = Task(context: place.context)
            try place.context.save()
            return .open(place.link(["task", .object(task)]))
        case "delete":
            place.context.delete(try place.object(Task.self, in: action))
            try place.context.save()
            return .stay
        default:
            throw ScreenError.unknownAction(action.name)
        }
    }

    private func toolbar(_ place: Place, _ isHighPriority: Bool, _ isDescending: Bool) -> [ToolbarItem] {
        let show = isHighPriority ? "hi-pri" : ""
        let order = isDescending ? "dsc" : ""
        return [
            ToolbarItem(
                "All",
                label: "All tasks",
                to: place.here(query: ["order": order]),
                isCurrent: !isHighPriority
            ),
            ToolbarItem("Location", label: "Tasks by location", to: place.link(["locations"])),
            ToolbarItem(
                "Hi-Pri",
                label: "Tasks of high priority",
                to: place.here(query: ["show": "hi-pri", "order": order]),
                isCurrent: isHighPriority
            ),
            ToolbarItem(
                "Asc",
                label: "Ascending",
                to: place.here(query: ["show": show]),
                isCurrent: !isDescending
            ),
            ToolbarItem(
                "Dsc",
                label: "Descending",
                to: place.here(query: ["show": show, "order": "dsc"]),
                isCurrent: isDescending
            ),
        ]
    }
}

extension Task {
    /// The row for the lists: it shows the due date, in red once that has passed, and opens the detail.
    func row(at place: Place) -> Row {
        Row(
            id: place.reference(self),
            title: RowText(text, placeholder: "Untitled"),
            value: dueDate.map { .date($0, .day) },
            warnsFrom: dueDate,
            action: .open(place.link(["task", .object(self)]))
        )
    }
}
