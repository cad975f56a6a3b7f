// A file that imports a part of the framework, as it may with Apple's.
import CoreData.CoreDataDefines
import Foundation
import Testing

@Suite struct PartialImports {
    @Test func aFileThatImportsAPartOfTheFrameworkSeesItsDeclarations() {
        #expect(NSCoreDataVersionNumber > NSCoreDataVersionNumber10_11)
        #expect(CoreData.NSManagedObjectModel().entities.isEmpty)
        #expect(NSManagedObjectMergeError == 133020)
    }
}
