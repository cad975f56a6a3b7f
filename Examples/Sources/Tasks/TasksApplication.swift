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
        EditTextScreen.locationName,
    ],
    tabs: [
        Tab("Tasks", icon: "M9 6h11M9 12h11M9 18h11M4 6h.5M4 12h.5M4 18h.5"),
        Tab(
            "By Location",
            icon: "M12 21s-7-6.2-7-11a7 7 0 0 1 14 0c0 4.8-7 11-7 11M12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5",
            path: "locations"
        ),
    ],
    alertTitle: { $0.domain == TaskRules.domain ? "Invalid Due Date" : nil },
    proves: "Validation in the class, a transient attribute, a fetched property, a request template, live sections.",
    experiments: [.twoPeople, .killedServer],
    samples: { try Task.insertSamples(in: $0) }
)

/// Inserts tasks of all kinds, a thousand per save.
///
/// - Parameters:
///   - count: The minimum number of tasks afterwards.
///   - store: The application's open store.
/// - Throws: The errors of a fetch or save.
public func seedTasks(_ count: Int, in store: ApplicationStore) async throws {
    try await store.performInBackground { context in
        let existingCount = try context.count(for: NSFetchRequest<Task>(entityName: "Task"))
        guard existingCount < count else { return }
        let locations = ["Garden", "Home", "Office", "Shop"].map { name in
            let location = Location(context: context)
            location.name = name
            return location
        }
        for number in existingCount..<count {
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
