// Task List: the first steps with Core Data. A list of tasks, newest first, and a screen to enter one.
import CoreData
import Foundation
import TableScreens

/// The application.
public let taskListApplication = TableApplication(
    name: "TaskList",
    title: "Task List",
    summary: "The first steps: a list, newest first, with a screen to enter a task.",
    symbol: "✓",
    tint: .orange,
    modelName: "TaskList",
    screens: [TaskListScreen(), NewTaskScreen(), TaskScreen()],
    proves: "A fetched results controller keeps the list live; a mapping model migrates a store of model version 1.",
    experiments: [.otherVersion],
    samples: { try Task.insertSamples(in: $0) }
)

/// All tasks, newest first; the + button opens the entry screen.
struct TaskListScreen: Screen {
    let path = ""

    func page(at place: Place) throws -> Page {
        let request: NSFetchRequest<Task> = Task.fetchRequest()
        request.fetchBatchSize = 20
        request.sortDescriptors = [NSSortDescriptor(key: "timeStamp", ascending: false)]
        return Page(
            title: "Task List",
            buttons: [.addLink(label: "New Task", to: place.link(["new"]))],
            table: .fetched(
                request,
                cacheName: "Root",
                allowsDelete: true,
                hasSubtitles: true,
                emptyText: "No tasks. Add one with +."
            ) { task in
                Row(
                    id: place.reference(task),
                    title: RowText(task.taskText, placeholder: "Untitled"),
                    subtitle: task.timeStamp.map { .date($0, .moment) },
                    action: .open(place.link(["task", .object(task)]))
                )
            }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "delete" else { throw ScreenError.unknownAction(action.name) }
        place.context.delete(try place.object(Task.self, in: action))
        try place.context.save()
        return .stay
    }
}
