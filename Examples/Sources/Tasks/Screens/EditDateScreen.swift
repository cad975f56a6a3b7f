// A date picker for a task's due date.
import CoreData
import Foundation
import TableScreens

/// Chooses a task's due date.
struct EditDateScreen: Screen {
    let path = "task/:task/due-date"

    func page(at place: Place) throws -> Page {
        let task = try place.object(Task.self, "task")
        return Page(
            title: "Due Date",
            back: Link("Task Detail", to: place.link(["task", .object(task)])),
            form: Form(fields: [Field(name: "value", label: "Due Date", .day(task.dueDate ?? Date()))])
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let task = try place.object(Task.self, "task")
        // The end of the day, so that a task due today is not overdue today.
        let date = try action.endOfDay("value")
        if try task.dueDate.map({ try action.isSameDay($0, "value") }) != true { task.dueDate = date }
        try place.context.save()
        return .open(place.link(["task", .object(task)]))
    }
}
