// The tasks and locations of a first start, one task overdue.
import CoreData
import Foundation

extension Task {
    /// Inserts and saves some tasks at four locations.
    ///
    /// The rules of the class refuse a new task with a date in the past, so a batch update, which applies no rules, makes
    /// the overdue one: it became overdue while nothing looked.
    ///
    /// - Parameter context: A context, on its queue.
    /// - Throws: The errors of a save.
    static func insertSamples(in context: NSManagedObjectContext) throws {
        let day = 24.0 * 3_600
        var locations: [String: Location] = [:]
        for name in ["Garden", "Home", "Office", "Town"] {
            let location = Location(context: context)
            location.name = name
            locations[name] = location
        }
        let tasks: [(String, Priority, Double?, String?)] = [
            ("Book the train to Lisbon", .high, 1, "Home"), ("Order a new bicycle chain", .low, 12, "Town"),
            ("Plant the tulip bulbs", .medium, 6, "Garden"), ("Prepare the quarterly review", .high, 2, "Office"),
            ("Renew the passport", .medium, 20, "Town"), ("Return the library books", .none, 3, "Town"),
            ("Sharpen the garden shears", .none, nil, "Garden"), ("Water the plants", .low, 0.3, "Office"),
            ("Write to Ana", .none, 5, nil),
        ]
        for (text, priority, days, location) in tasks {
            let task = Task(context: context)
            task.text = text
            task.priority = priority.rawValue
            task.dueDate = days.map { Date(timeIntervalSinceNow: $0 * day) }
            task.location = location.flatMap { locations[$0] }
        }
        try context.save()
        let overdue = NSBatchUpdateRequest(entityName: "Task")
        overdue.predicate = NSPredicate(format: "text == %@", "Return the library books")
        overdue.propertiesToUpdate = ["dueDate": Date(timeIntervalSinceNow: -2 * day)]
        try context.execute(overdue)
    }
}
