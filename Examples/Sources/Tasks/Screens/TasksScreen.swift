// The list of tasks with its filter and its order.
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
        request.relationshipKeyPathsForPrefetching = ["location"]
        request.fetchBatchSize = 40
        return Page(
            title: "Tasks",
            buttons: [.addAction(label: "New Task", action: "insert")],
            choices: choices(place, isHighPriority, isDescending),
            table: .fetched(
                request,
                refreshedBy: ["Location"],
                allowsDelete: true,
                hasSubtitles: true,
                emptyText: isHighPriority ? "No tasks of high priority." : "No tasks. Add one with +."
            ) { $0.row(at: place, showsLocation: true) }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        switch action.name {
        case "insert":
            let task = Task(context: place.context)
            try place.context.save()
            return .openNew(place.link(["task", .object(task)]), task.objectID)
        case "delete":
            place.context.delete(try place.object(Task.self, in: action))
            try place.context.save()
            return .stay
        default:
            throw ScreenError.unknownAction(action.name)
        }
    }

    /// The filter and the order.
    private func choices(_ place: Place, _ isHighPriority: Bool, _ isDescending: Bool) -> [ChoiceBar] {
        let show = isHighPriority ? "hi-pri" : ""
        let order = isDescending ? "dsc" : ""
        return [
            ChoiceBar(
                "Filter",
                [
                    ToolbarItem(
                        "All",
                        label: "All tasks",
                        to: place.here(query: ["order": order]),
                        isCurrent: !isHighPriority
                    ),
                    ToolbarItem(
                        "High Priority",
                        label: "High Priority",
                        to: place.here(query: ["show": "hi-pri", "order": order]),
                        isCurrent: isHighPriority
                    ),
                ]
            ),
            ChoiceBar(
                "Order",
                [
                    ToolbarItem(
                        "A–Z",
                        label: "A–Z, ascending",
                        to: place.here(query: ["show": show]),
                        isCurrent: !isDescending
                    ),
                    ToolbarItem(
                        "Z–A",
                        label: "Z–A, descending",
                        to: place.here(query: ["show": show, "order": "dsc"]),
                        isCurrent: isDescending
                    ),
                ]
            ),
        ]
    }
}

extension Task {
    /// The row for the lists: it shows the priority, the due date, in red once that has passed, and opens the detail.
    ///
    /// - Parameters:
    ///   - place: The address of the list.
    ///   - showsLocation: Whether the location is beneath the text.
    /// - Returns: The row.
    func row(at place: Place, showsLocation: Bool) -> Row {
        Row(
            id: place.reference(self),
            title: RowText(text, placeholder: "Untitled"),
            subtitle: showsLocation ? location?.name.map { .text($0) } : nil,
            value: dueDate.map { .date($0, .day) },
            decoration: Priority(rawValue: priority)?.mark,
            warnsFrom: dueDate,
            action: .open(place.link(["task", .object(self)]))
        )
    }
}
