// The types of ManagedGraph that a managed class may use in its properties. Used by KnownModules.

/// The mangler's table of ManagedGraph types.
enum GraphTypes {
    private static let classes = [
        "NSManagedObject", "NSManagedObjectID", "NSManagedObjectContext", "NSManagedObjectModel",
        "NSEntityDescription", "NSPersistentStore", "NSPersistentStoreCoordinator", "NSPersistentContainer",
        "NSFetchRequest", "NSFetchedResultsController", "NSPropertyDescription", "NSAttributeDescription",
        "NSRelationshipDescription", "NSFetchedPropertyDescription", "NSMergePolicy",
    ]

    /// ManagedGraph's types as a table for name lookup.
    static let table: KnownTypes = {
        var table = KnownTypes()
        for name in classes { table.add(name, kind: .class, module: "ManagedGraph") }
        table.add("NSFetchRequestResult", kind: .protocol, module: "ManagedGraph")
        table.add("NSExpression", kind: .class, module: "GraphPredicates")
        table.add("NSComparisonPredicate", kind: .class, module: "GraphPredicates")
        return table
    }()
}
