// The names of types that the module CoreData declares. Used by the rules for imports.
import SwiftSyntax

/// Finds the first use of a type for which a file needs an import.
enum CoreDataNames {
    private static let names: Set<String> = [
        "NSManagedObject", "NSManagedObjectContext", "NSPersistentContainer", "NSFetchRequest", "NSManagedObjectModel",
        "NSPersistentStoreCoordinator", "NSFetchedResultsController", "NSEntityDescription", "NSManagedObjectID",
        "NSFetchRequestResult", "NSFetchedResultsControllerDelegate", "NSFetchedResultsSectionInfo",
        "NSPersistentStore", "NSPersistentStoreDescription", "NSPropertyDescription", "NSAttributeDescription",
        "NSRelationshipDescription", "NSFetchedPropertyDescription", "NSExpressionDescription", "NSMergePolicy",
        "NSMergeConflict", "NSMappingModel", "NSEntityMapping", "NSEntityMigrationPolicy", "NSMigrationManager",
        "NSBatchInsertRequest", "NSBatchUpdateRequest", "NSBatchDeleteRequest", "NSAsynchronousFetchRequest",
        "NSPersistentHistoryToken", "NSPersistentHistoryTransaction", "NSPersistentHistoryChange",
        "NSPersistentHistoryChangeRequest", "NSIncrementalStore", "NSAtomicStore", "NSAttributeType", "NSDeleteRule",
        "NSFetchRequestResultType", "NSFetchedResultsChangeType", "NSManagedObjectContextConcurrencyType",
        "NSMergePolicyType", "NSSnapshotEventType", "NSFetchIndexDescription", "NSFetchIndexElementDescription",
        "NSDerivedAttributeDescription", "NSCompositeAttributeDescription", "NSPropertyMapping", "NSConstraintConflict",
        "NSPersistentStoreRequest", "NSPersistentStoreResult", "NSAsynchronousFetchResult", "NSBatchInsertResult",
        "NSBatchUpdateResult", "NSBatchDeleteResult", "NSPersistentHistoryResult", "NSQueryGenerationToken",
        "NSStagedMigrationManager",
    ]

    /// Names of other modules on Apple's platforms that the module CoreData declares elsewhere.
    ///
    /// The standard library's `_kvcKeyPathString` is nil there.
    private static let foundationNames: Set<String> = [
        "ValueTransformer", "NSValueTransformerName", "NSSecureUnarchiveFromDataTransformer", "Selector", "UndoManager",
        "_kvcKeyPathString", "AutoreleasingUnsafeMutablePointer",
    ]

    static func areMentioned(in file: PortingFile) -> Bool { NameReader.first(of: names, in: file) != nil }

    /// The first mention of a type for which a file needs an import of CoreData off Apple.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - index: The module's declarations, which hide others.
    /// - Returns: The name; nil if the file mentions none.
    static func firstMention(in file: PortingFile, _ index: CodeIndex) -> TokenSyntax? {
        NameReader.first(of: names.union(foundationNames).filter { !index.hasType(named: $0) }, in: file)
    }
}
