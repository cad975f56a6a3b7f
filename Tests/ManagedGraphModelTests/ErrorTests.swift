import Foundation
import ManagedGraph
import Testing

@Suite("Errors")
struct ErrorTests {
    @Test("The table is sorted, without duplicates, and finds every code")
    func table() {
        let codes = CocoaErrorTable.rows.map(\.code)
        #expect(codes == Set(codes).sorted())
        #expect(codes.count == 49)
        for code in codes { #expect(CocoaErrorTable.row(for: code)?.code == code) }
        #expect(CocoaErrorTable.row(for: 1) == nil)
        #expect(CocoaErrorTable.row(for: 999_999) == nil)
    }

    @Test("Codes can be matched as CocoaError's")
    func cocoaErrorCodes() {
        let error: any Error = CoreDataError.make(NSManagedObjectMergeError)
        #expect((error as? CocoaError)?.code == .managedObjectMerge)
        #expect(CocoaError.validationMissingMandatoryProperty.rawValue == 1570)
    }

    @Test("CocoaError reads the entries of validation errors")
    func entries() {
        let error = CoreDataError.validation(1610, "x", remedy: "y", key: "priority", value: 7, object: "object")
        let cocoa = error as? CocoaError
        #expect(cocoa?.validationKey == "priority")
        #expect(cocoa?.validationValue as? Int == 7)
        #expect(cocoa?.validationObject as? String == "object")
        #expect(cocoa?.validationPredicate == nil)
        let missing = CoreDataError.validation(1570, "x", remedy: "y", key: "text", value: nil, object: nil)
        #expect((missing as? CocoaError)?.validationValue == nil)
    }

    @Test("An error without its own description has the meaning of its code")
    func defaultDescription() {
        let error = CoreDataError.make(NSPersistentStoreTimeoutError)
        let words = "The store did not answer in time (NSPersistentStoreTimeoutError, 134090)."
        #expect(error.localizedDescription == words)
        #expect(error.domain == NSCocoaErrorDomain)
    }

    @Test("No errors give nil, one gives itself, several give one with code 1560, and nested lists are flattened")
    func combining() {
        let one = CoreDataError.make(1570, "a is required")
        let two = CoreDataError.make(1610, "b is too large")
        let three = CoreDataError.make(1620, "c is too small")
        #expect(CoreDataError.combine([]) == nil)
        #expect(CoreDataError.combine([one]) === one)
        let pair = CoreDataError.combine([one, two])
        #expect(pair?.code == NSValidationMultipleErrorsError)
        #expect(pair?.localizedDescription == "2 values are not valid: a is required; b is too large")
        let all = CoreDataError.combine([pair, three].compactMap { $0 })
        #expect((all?.userInfo[NSDetailedErrorsKey] as? [NSError])?.map(\.code) == [1570, 1610, 1620])
    }

    @Test("A store of another model version fails with Apple's description, metadata and reason")
    func versionHash() {
        let error = CoreDataError.incompatibleVersionHash(
            metadata: ["NSStoreType": "SQLite"],
            reason: "Task has changed.",
            url: URL(filePath: "/tmp/x.sqlite")
        )
        #expect(error.code == 134100)
        #expect(
            error.localizedDescription
                == "The model used to open the store is incompatible with the one used to create the store"
        )
        #expect((error.userInfo["metadata"] as? [String: Any])?["NSStoreType"] as? String == "SQLite")
        #expect(error.userInfo["reason"] as? String == "Task has changed.")
        #expect(error.localizedRecoverySuggestion?.isEmpty == false)
    }

    @Test("SQLite's code is in userInfo under its domain")
    func sqlite() {
        let error = CoreDataError.sqlite(13, message: "database or disk is full", url: URL(filePath: "/tmp/x.sqlite"))
        #expect(error.code == NSSQLiteError)
        #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 13)
        #expect(error.localizedDescription == "SQLite reported error 13 in x.sqlite: database or disk is full")
    }
}
