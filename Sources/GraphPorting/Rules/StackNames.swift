// The names of the parts of a Core Data stack. Used by the rules for imports.
import SwiftSyntax

/// Names of the parts of a Core Data stack.
enum StackNames {
    private static let names: Set<String> = [
        "NSPersistentContainer", "NSPersistentCloudKitContainer", "NSPersistentStoreCoordinator",
        "NSManagedObjectModel",
    ]

    static func areMentioned(in node: Syntax) -> Bool {
        node.tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) }
    }
}
