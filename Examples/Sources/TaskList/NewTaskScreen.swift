// The modal screen of Task List for a new task.
import CoreData
import Foundation
import TableScreens

/// The modal screen with one field; Return saves and closes.
struct NewTaskScreen: Screen {
    let path = "new"

    func page(at place: Place) throws -> Page {
        Page(
            title: "New Task",
            back: Link("Task List", to: place.link([])),
            form: Form(fields: [Field(name: "taskText", label: "Task:", .text(""))], isModal: true)
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let text = try action.text("taskText")
        guard !text.isEmpty else { throw ScreenError.badInput("Enter a task.") }
        let task = Task(context: place.context)
        task.taskText = text
        task.timeStamp = Date()
        try place.context.save()
        return .open(place.link([]))
    }
}
