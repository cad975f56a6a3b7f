// Tasks: the full task manager, with priorities, due dates, locations and validation rules.
import CoreData
import Foundation
import TableScreens

/// The application.
public let tasksApplication = TableApplication(
    name: "Tasks",
    title: "Tasks",
    summary: "Priorities, due dates, locations, and rules that say no.",
    symbol: "☰",
    tint: .blue,
    modelName: "Tasks",
    screens: [
        TasksScreen(), TasksByLocationScreen(), TaskDetailScreen(), EditTextScreen.taskText,
        EditPriorityScreen(), EditDateScreen(), EditLocationScreen(), EditTextScreen.newLocation,
    ],
    alertTitle: { $0.domain == TaskRules.domain ? "Invalid Due Date" : nil }
)

/// Inserts tasks of all kinds, a thousand per save.
///
/// - Parameters:
///   - count: the minimum number of tasks afterwards.
///   - store: the application's open store.
/// - Throws: the errors of a fetch or save.
public func seedTasks(_ count: Int, in store: ApplicationStore) async throws {
    try await store.performInBackground { context in
        let present = try context.count(for: NSFetchRequest<Task>(entityName: "Task"))
        guard present < count else { return }
        let locations = ["Garden", "Home", "Office", "Shop"].map { name in
            let location = Location(context: context)
            location.name = name
            return location
        }
        for number in present..<count {
            let task = Task(context: context)
            let digits = String(number + 1)
            task.text = "Task " + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            task.priority = Int16(number % 4)
            task.dueDate = Date(timeIntervalSinceNow: Double(1 + number % 47) * 3_600)
            task.location = number % 5 == 4 ? nil : locations[number % 5]
            if number % 1_000 == 999 { try context.save() }
        }
        try context.save()
    }
}
