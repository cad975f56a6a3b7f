// One task's six rows, and the alerts that the last two open.
import CoreData
import Foundation
import TableScreens

/// A task's properties, and alerts with other urgent tasks.
struct TaskDetailScreen: Screen {
    let path = "task/:task"
    let queryKeys = ["alert"]

    func page(at place: Place) throws -> Page {
        let task = try place.object(Task.self, "task")
        let link = { (word: LinkComponent) in Row.RowAction.open(place.link(["task", .object(task), word])) }
        let alert = { (name: String) in Row.RowAction.alert(place.here(query: ["alert": name])) }
        return Page(
            title: "Task Detail",
            back: Link("Tasks", to: place.link([])),
            table: .computed {
                let task = try place.object(Task.self, "task")
                let due = task.dueDate
                return [
                    Row(
                        id: "text",
                        title: "Text",
                        value: RowText(task.text, placeholder: "Untitled"),
                        action: link("text")
                    ),
                    Row(
                        id: "priority",
                        title: "Priority",
                        value: .text((Priority(rawValue: task.priority) ?? .none).title),
                        action: link("priority")
                    ),
                    Row(
                        id: "due-date",
                        title: "Due Date",
                        value: due.map { .date($0, .longDate) } ?? .placeholder("Not Set"),
                        warnsFrom: due,
                        action: link("due-date")
                    ),
                    Row(
                        id: "location",
                        title: "Location",
                        value: RowText(task.location?.name, placeholder: "Not Set"),
                        action: link("location")
                    ),
                    Row(id: "hi-pri-tasks", title: "High-Priority Tasks", action: alert("hi-pri")),
                    Row(id: "due-sooner", title: "Tasks Due Sooner", action: alert("due-sooner")),
                ]
            },
            alert: try self.alert(for: task, named: place.query["alert"])
        )
    }

    private func alert(for task: Task, named name: String?) throws -> Alert? {
        switch name {
        case "hi-pri":
            // A fetched property caches its result until its object is refreshed.
            task.managedObjectContext?.refresh(task, mergeChanges: true)
            return Self.alert("High-Priority Tasks", task.highPriTasks ?? [], none: "No tasks of high priority.")
        case "due-sooner":
            guard let model = task.managedObjectContext?.persistentStoreCoordinator?.managedObjectModel,
                let dueDate = task.dueDate,
                let request = model.fetchRequestFromTemplate(
                    withName: "tasksDueSooner",
                    substitutionVariables: ["DUE_DATE": dueDate]
                )
            else { return Self.alert("Tasks Due Sooner", [], none: "This task has no due date.") }
            request.sortDescriptors = [NSSortDescriptor(key: "dueDate", ascending: true)]
            let tasks = try task.managedObjectContext?.fetch(request) as? [Task] ?? []
            return Self.alert("Tasks Due Sooner", tasks, none: "No task is due sooner.")
        default:
            return nil
        }
    }

    /// Limits the list, because an alert cannot show thousands of lines.
    private static func alert(_ title: String, _ tasks: [Task], none: String) -> Alert {
        let limit = 50
        var lines = tasks.prefix(limit).map { $0.text.flatMap { $0.isEmpty ? nil : $0 } ?? "Untitled" }
        if tasks.count > limit { lines.append("and \((tasks.count - limit).formatted()) more") }
        return Alert(title: title, message: lines.isEmpty ? none : "", items: lines)
    }
}
