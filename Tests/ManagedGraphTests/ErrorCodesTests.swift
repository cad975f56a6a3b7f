// All of Core Data's error codes, under each of their names. The numbers are Apple's.
import Foundation
import ManagedGraph
import Testing

@Suite struct ErrorCodes {
    /// The names of a code.
    private struct Names {
        let number: Int
        let constant: Int
        let codes: [CocoaError.Code]
    }

    private static let codes: [Names] = [
        Names(
            number: 1550,
            constant: NSManagedObjectValidationError,
            codes: [CocoaError.managedObjectValidation, CocoaError.Code.managedObjectValidation]
        ),
        Names(number: 1551, constant: NSManagedObjectConstraintValidationError, codes: []),
        Names(
            number: 1560,
            constant: NSValidationMultipleErrorsError,
            codes: [CocoaError.validationMultipleErrors, CocoaError.Code.validationMultipleErrors]
        ),
        Names(
            number: 1570,
            constant: NSValidationMissingMandatoryPropertyError,
            codes: [CocoaError.validationMissingMandatoryProperty, CocoaError.Code.validationMissingMandatoryProperty]
        ),
        Names(
            number: 1580,
            constant: NSValidationRelationshipLacksMinimumCountError,
            codes: [
                CocoaError.validationRelationshipLacksMinimumCount,
                CocoaError.Code.validationRelationshipLacksMinimumCount,
            ]
        ),
        Names(
            number: 1590,
            constant: NSValidationRelationshipExceedsMaximumCountError,
            codes: [
                CocoaError.validationRelationshipExceedsMaximumCount,
                CocoaError.Code.validationRelationshipExceedsMaximumCount,
            ]
        ),
        Names(
            number: 1600,
            constant: NSValidationRelationshipDeniedDeleteError,
            codes: [CocoaError.validationRelationshipDeniedDelete, CocoaError.Code.validationRelationshipDeniedDelete]
        ),
        Names(
            number: 1610,
            constant: NSValidationNumberTooLargeError,
            codes: [CocoaError.validationNumberTooLarge, CocoaError.Code.validationNumberTooLarge]
        ),
        Names(
            number: 1620,
            constant: NSValidationNumberTooSmallError,
            codes: [CocoaError.validationNumberTooSmall, CocoaError.Code.validationNumberTooSmall]
        ),
        Names(
            number: 1630,
            constant: NSValidationDateTooLateError,
            codes: [CocoaError.validationDateTooLate, CocoaError.Code.validationDateTooLate]
        ),
        Names(
            number: 1640,
            constant: NSValidationDateTooSoonError,
            codes: [CocoaError.validationDateTooSoon, CocoaError.Code.validationDateTooSoon]
        ),
        Names(
            number: 1650,
            constant: NSValidationInvalidDateError,
            codes: [CocoaError.validationInvalidDate, CocoaError.Code.validationInvalidDate]
        ),
        Names(
            number: 1660,
            constant: NSValidationStringTooLongError,
            codes: [CocoaError.validationStringTooLong, CocoaError.Code.validationStringTooLong]
        ),
        Names(
            number: 1670,
            constant: NSValidationStringTooShortError,
            codes: [CocoaError.validationStringTooShort, CocoaError.Code.validationStringTooShort]
        ),
        Names(
            number: 1680,
            constant: NSValidationStringPatternMatchingError,
            codes: [CocoaError.validationStringPatternMatching, CocoaError.Code.validationStringPatternMatching]
        ),
        Names(number: 1690, constant: NSValidationInvalidURIError, codes: []),
        Names(
            number: 132000,
            constant: NSManagedObjectContextLockingError,
            codes: [CocoaError.managedObjectContextLocking, CocoaError.Code.managedObjectContextLocking]
        ),
        Names(
            number: 132010,
            constant: NSPersistentStoreCoordinatorLockingError,
            codes: [CocoaError.persistentStoreCoordinatorLocking, CocoaError.Code.persistentStoreCoordinatorLocking]
        ),
        Names(
            number: 133000,
            constant: NSManagedObjectReferentialIntegrityError,
            codes: [CocoaError.managedObjectReferentialIntegrity, CocoaError.Code.managedObjectReferentialIntegrity]
        ),
        Names(
            number: 133010,
            constant: NSManagedObjectExternalRelationshipError,
            codes: [CocoaError.managedObjectExternalRelationship, CocoaError.Code.managedObjectExternalRelationship]
        ),
        Names(
            number: 133020,
            constant: NSManagedObjectMergeError,
            codes: [CocoaError.managedObjectMerge, CocoaError.Code.managedObjectMerge]
        ),
        Names(
            number: 133021,
            constant: NSManagedObjectConstraintMergeError,
            codes: [CocoaError.managedObjectConstraintMerge, CocoaError.Code.managedObjectConstraintMerge]
        ),
        Names(
            number: 134000,
            constant: NSPersistentStoreInvalidTypeError,
            codes: [CocoaError.persistentStoreInvalidType, CocoaError.Code.persistentStoreInvalidType]
        ),
        Names(
            number: 134010,
            constant: NSPersistentStoreTypeMismatchError,
            codes: [CocoaError.persistentStoreTypeMismatch, CocoaError.Code.persistentStoreTypeMismatch]
        ),
        Names(
            number: 134020,
            constant: NSPersistentStoreIncompatibleSchemaError,
            codes: [CocoaError.persistentStoreIncompatibleSchema, CocoaError.Code.persistentStoreIncompatibleSchema]
        ),
        Names(
            number: 134030,
            constant: NSPersistentStoreSaveError,
            codes: [CocoaError.persistentStoreSave, CocoaError.Code.persistentStoreSave]
        ),
        Names(
            number: 134040,
            constant: NSPersistentStoreIncompleteSaveError,
            codes: [CocoaError.persistentStoreIncompleteSave, CocoaError.Code.persistentStoreIncompleteSave]
        ),
        Names(
            number: 134050,
            constant: NSPersistentStoreSaveConflictsError,
            codes: [CocoaError.persistentStoreSaveConflicts, CocoaError.Code.persistentStoreSaveConflicts]
        ),
        Names(
            number: 134060,
            constant: NSCoreDataError,
            codes: [CocoaError.coreData, CocoaError.Code.coreData]
        ),
        Names(
            number: 134070,
            constant: NSPersistentStoreOperationError,
            codes: [CocoaError.persistentStoreOperation, CocoaError.Code.persistentStoreOperation]
        ),
        Names(
            number: 134080,
            constant: NSPersistentStoreOpenError,
            codes: [CocoaError.persistentStoreOpen, CocoaError.Code.persistentStoreOpen]
        ),
        Names(
            number: 134090,
            constant: NSPersistentStoreTimeoutError,
            codes: [CocoaError.persistentStoreTimeout, CocoaError.Code.persistentStoreTimeout]
        ),
        Names(
            number: 134091,
            constant: NSPersistentStoreUnsupportedRequestTypeError,
            codes: [
                CocoaError.persistentStoreUnsupportedRequestType, CocoaError.Code.persistentStoreUnsupportedRequestType,
            ]
        ),
        Names(
            number: 134100,
            constant: NSPersistentStoreIncompatibleVersionHashError,
            codes: [
                CocoaError.persistentStoreIncompatibleVersionHash,
                CocoaError.Code.persistentStoreIncompatibleVersionHash,
            ]
        ),
        Names(
            number: 134110,
            constant: NSMigrationError,
            codes: [CocoaError.migration, CocoaError.Code.migration]
        ),
        Names(number: 134111, constant: NSMigrationConstraintViolationError, codes: []),
        Names(
            number: 134120,
            constant: NSMigrationCancelledError,
            codes: [CocoaError.migrationCancelled, CocoaError.Code.migrationCancelled]
        ),
        Names(
            number: 134130,
            constant: NSMigrationMissingSourceModelError,
            codes: [CocoaError.migrationMissingSourceModel, CocoaError.Code.migrationMissingSourceModel]
        ),
        Names(
            number: 134140,
            constant: NSMigrationMissingMappingModelError,
            codes: [CocoaError.migrationMissingMappingModel, CocoaError.Code.migrationMissingMappingModel]
        ),
        Names(
            number: 134150,
            constant: NSMigrationManagerSourceStoreError,
            codes: [CocoaError.migrationManagerSourceStore, CocoaError.Code.migrationManagerSourceStore]
        ),
        Names(
            number: 134160,
            constant: NSMigrationManagerDestinationStoreError,
            codes: [CocoaError.migrationManagerDestinationStore, CocoaError.Code.migrationManagerDestinationStore]
        ),
        Names(
            number: 134170,
            constant: NSEntityMigrationPolicyError,
            codes: [CocoaError.entityMigrationPolicy, CocoaError.Code.entityMigrationPolicy]
        ),
        Names(
            number: 134180,
            constant: NSSQLiteError,
            codes: [CocoaError.sqlite, CocoaError.Code.sqlite]
        ),
        Names(
            number: 134190,
            constant: NSInferredMappingModelError,
            codes: [CocoaError.inferredMappingModel, CocoaError.Code.inferredMappingModel]
        ),
        Names(
            number: 134200,
            constant: NSExternalRecordImportError,
            codes: [CocoaError.externalRecordImport, CocoaError.Code.externalRecordImport]
        ),
        Names(number: 134301, constant: NSPersistentHistoryTokenExpiredError, codes: []),
        Names(number: 134504, constant: NSManagedObjectModelReferenceNotFoundError, codes: []),
        Names(number: 134505, constant: NSStagedMigrationFrameworkVersionMismatchError, codes: []),
        Names(number: 134506, constant: NSStagedMigrationBackwardMigrationError, codes: []),
    ]

    @Test func everyCodeHasApplesNumberUnderEachOfItsNames() {
        #expect(Set(Self.codes.map(\.number)).count == 49)
        for names in Self.codes {
            #expect(names.constant == names.number)
            for code in names.codes {
                #expect(code.rawValue == names.number)
                #expect(CocoaError(code).code == code)
            }
        }
    }

    @Test func errorsShowWhatTheyConcern() throws {
        let (store, object, rule) = (NSObject(), NSObject(), NSPredicate(format: "length >= 2"))
        let error = CocoaError(
            .validationStringTooShort,
            userInfo: [
                NSAffectedStoresErrorKey: [store], NSAffectedObjectsErrorKey: [object],
                NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: "text",
                NSValidationPredicateErrorKey: rule, NSValidationValueErrorKey: "a",
            ]
        )
        #expect(error.affectedStores?.first === store && error.affectedObjects?.first === object)
        #expect(error.validationObject as? NSObject === object && error.validationKey == "text")
        #expect(error.validationPredicate === rule && error.validationValue as? String == "a")
        #expect(CocoaError(.validationStringTooShort).affectedStores == nil)
        #expect(NSSQLiteErrorDomain == "NSSQLiteErrorDomain" && NSDetailedErrorsKey == "NSDetailedErrors")
    }
}
