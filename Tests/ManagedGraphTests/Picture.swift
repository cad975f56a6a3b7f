// The values of all objects of a context, to be compared. Used by ContextUndo.
import Foundation
import ManagedGraph

@testable import StackSupport

/// The state of all objects in a context, keyed by permanent names.
struct Picture: Equatable, CustomStringConvertible {
    var lines: [String]
    var description: String { lines.joined(separator: "\n") }

    init(_ context: NSManagedObjectContext) throws {
        var lines: [String] = []
        for task in try context.tasks() {
            let tags = ((task.value(forKey: "tags") as? Set<NSManagedObject>) ?? [])
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
            lines.append("task \(task.text ?? "-") \(task.priority) at \(task.location?.name ?? "-") tags \(tags)")
        }
        for place in try context.fetch(NSFetchRequest<TestLocation>(entityName: "Location")) {
            let tasks = ((place.tasks as? Set<TestTask>) ?? []).map { $0.text ?? "-" }.sorted()
            lines.append("place \(place.name ?? "-") \(tasks)")
        }
        for tag in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) {
            let tasks = ((tag.value(forKey: "tagged") as? Set<NSManagedObject>) ?? [])
                .map { $0.value(forKey: "text") as? String ?? "-" }.sorted()
            lines.append("tag \(tag.value(forKey: "name") ?? "-") \(tasks)")
        }
        self.lines = lines.sorted()
    }
}
