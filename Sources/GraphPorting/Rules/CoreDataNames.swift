// The names of Core Data. Used by the rules for imports.
import SwiftSyntax

/// Names of Core Data.
enum CoreDataNames {
    private static let names: Set<String> = [
        "NSManagedObject", "NSManagedObjectContext", "NSPersistentContainer", "NSFetchRequest", "NSManagedObjectModel",
        "NSPersistentStoreCoordinator", "NSFetchedResultsController", "NSEntityDescription", "NSManagedObjectID",
    ]

    static func areMentioned(in file: PortingFile) -> Bool { NameReader.first(of: names, in: file) != nil }
}
