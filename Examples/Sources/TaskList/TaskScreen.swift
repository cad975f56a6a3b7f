// One task of Task List, with its whole text.
import CoreData
import Foundation
import TableScreens

/// The screen of a task, whose text may be too long for its row.
struct TaskScreen: Screen {
    let path = "task/:task"

    func page(at place: Place) throws -> Page {
        let task = try place.object(Task.self, "task")
        return Page(
            title: "Task",
            back: Link("Task List", to: place.link([])),
            form: Form(fields: [Field(name: "taskText", label: "Task:", .longText(task.taskText ?? ""))])
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let task = try place.object(Task.self, "task")
        let text = try action.text("taskText")
        guard !text.isEmpty else { throw ScreenError.badInput("Enter a task.") }
        if task.taskText != text { task.taskText = text }
        try place.context.save()
        return .open(place.link([]))
    }
}
