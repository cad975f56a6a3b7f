import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite("Errors")
struct ErrorTests {
    @Test("The table is sorted, without duplicates, and finds every code")
    func table() {
        let codes = CocoaErrorTable.rows.map(\.code)
        expectEqual(codes, Set(codes).sorted())
        expectEqual(codes.count, 49)
        for code in codes { expectEqual(CocoaErrorTable.row(for: code)?.code, code) }
        expectNil(CocoaErrorTable.row(for: 1))
        expectNil(CocoaErrorTable.row(for: 999_999))
    }

    @Test("Codes can be matched as CocoaError's")
    func cocoaErrorCodes() {
        let error: any Error = CoreDataError.make(NSManagedObjectMergeError)
        expectEqual((error as? CocoaError)?.code, .managedObjectMerge)
        expectEqual(CocoaError.validationMissingMandatoryProperty.rawValue, 1570)
    }

    @Test("CocoaError reads the entries of validation errors")
    func entries() {
        let error = CoreDataError.validation(1610, "x", remedy: "y", key: "priority", value: 7, object: "object")
        let cocoa = error as? CocoaError
        expectEqual(cocoa?.validationKey, "priority")
        expectEqual(cocoa?.validationValue as? Int, 7)
        expectEqual(cocoa?.validationObject as? String, "object")
        expectNil(cocoa?.validationPredicate)
        let missing = CoreDataError.validation(1570, "x", remedy: "y", key: "text", value: nil, object: nil)
        expectNil((missing as? CocoaError)?.validationValue)
    }

    @Test("An error without its own description has the meaning of its code")
    func defaultDescription() {
        let error = CoreDataError.make(NSPersistentStoreTimeoutError)
        let words = "The store did not answer in time (NSPersistentStoreTimeoutError, 134090)."
        expectEqual(error.localizedDescription, words)
        expectEqual(error.domain, NSCocoaErrorDomain)
    }

    @Test("No errors give nil, one gives itself, several give one with code 1560, and nested lists are flattened")
    func combining() {
        let first = CoreDataError.make(1570, "a is required")
        let second = CoreDataError.make(1610, "b is too large")
        let third = CoreDataError.make(1620, "c is too small")
        expectNil(CoreDataError.combine([]))
        #expect(CoreDataError.combine([first]) === first)
        let pair = CoreDataError.combine([first, second])
        expectEqual(pair?.code, NSValidationMultipleErrorsError)
        expectEqual(pair?.localizedDescription, "2 values are not valid: a is required; b is too large")
        let all = CoreDataError.combine([pair, third].compactMap { $0 })
        expectEqual((all?.userInfo[NSDetailedErrorsKey] as? [NSError])?.map(\.code), [1570, 1610, 1620])
    }

    @Test("A store of another model version fails with Apple's description, metadata and reason")
    func versionHash() {
        let error = CoreDataError.incompatibleVersionHash(
            metadata: ["NSStoreType": "SQLite"],
            reason: "Task has changed.",
            url: URL(filePath: "/tmp/x.sqlite")
        )
        expectEqual(error.code, 134100)
        expectEqual(
            error.localizedDescription,
            "The model used to open the store is incompatible with the one used to create the store"
        )
        expectEqual((error.userInfo["metadata"] as? [String: Any])?["NSStoreType"] as? String, "SQLite")
        expectEqual(error.userInfo["reason"] as? String, "Task has changed.")
        expectEqual(error.localizedRecoverySuggestion?.isEmpty, false)
    }

    @Test("SQLite's code is in userInfo under its domain")
    func sqlite() {
        let error = CoreDataError.sqlite(13, message: "database or disk is full", url: URL(filePath: "/tmp/x.sqlite"))
        expectEqual(error.code, NSSQLiteError)
        expectEqual(error.userInfo[NSSQLiteErrorDomain] as? Int, 13)
        expectEqual(error.localizedDescription, "SQLite reported error 13 in x.sqlite: database or disk is full")
    }
}
