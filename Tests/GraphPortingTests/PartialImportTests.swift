// Imports a submodule of the framework, which Apple's allows too.
import CoreData.CoreDataDefines
import ExpectationSupport
import Foundation
import Testing

struct PartialImports {
    @Test func aFileThatImportsAPartOfTheFrameworkSeesItsDeclarations() {
        #expect(NSCoreDataVersionNumber > NSCoreDataVersionNumber10_11)
        #expect(CoreData.NSManagedObjectModel().entities.isEmpty)
        expectEqual(NSManagedObjectMergeError, 133020)
    }
}
