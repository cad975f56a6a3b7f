// The four priorities, with a check mark next to the one of the task.
import CoreData
import Foundation
import TableScreens

/// Chooses a task's priority.
struct EditPriorityScreen: Screen {
    let path = "task/:task/priority"

    func page(at place: Place) throws -> Page {
        let task = try place.object(Task.self, "task")
        return Page(
            title: "Priority",
            back: Link("Task Detail", to: place.link(["task", .object(task)])),
            table: .computed {
                let current = try place.object(Task.self, "task").priority
                return Priority.allCases.map { priority in
                    Row(
                        id: "priority-\(priority.rawValue)",
                        title: .text(priority.title),
                        isChecked: priority.rawValue == current,
                        action: .choose(String(priority.rawValue))
                    )
                }
            }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "choose" else { throw ScreenError.unknownAction(action.name) }
        let task = try place.object(Task.self, "task")
        task.priority = Int16(try action.integer("value", in: 0...3))
        try place.context.save()
        return .open(place.link(["task", .object(task)]))
    }
}
