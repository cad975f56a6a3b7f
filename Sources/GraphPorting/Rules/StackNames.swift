// Wraps imports of Apple-only modules in `#if canImport(…)`, with their replacement on other platforms; imports their
// re-exported modules explicitly, and adds modules that are separate on other platforms. Beside `ImportRule`.
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
