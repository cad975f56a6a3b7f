// Wraps imports of Apple-only modules in `#if canImport(…)`, with their replacement on other platforms; imports their
// re-exported modules explicitly, and adds modules that are separate on other platforms. Beside `ImportRule`.
import SwiftSyntax

/// Names of Core Data.
enum CoreDataNames {
    private static let names: Set<String> = [
        "NSManagedObject", "NSManagedObjectContext", "NSPersistentContainer", "NSFetchRequest", "NSManagedObjectModel",
        "NSPersistentStoreCoordinator", "NSFetchedResultsController", "NSEntityDescription", "NSManagedObjectID",
    ]

    static func areMentioned(in file: PortingFile) -> Bool { NameReader.first(of: names, in: file) != nil }
}
