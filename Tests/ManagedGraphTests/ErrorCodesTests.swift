// All of Core Data's error codes, under each of their names. The numbers are Apple's.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct ErrorCodes {
    /// The names of a code.
    private struct Names {
        let number: Int
        let constant: Int
        let codes: [CocoaError.Code]

        init(_ number: Int, _ constant: Int, _ codes: CocoaError.Code...) {
            (self.number, self.constant, self.codes) = (number, constant, codes)
        }
    }

    private static let codes: [Names] = [
        Names(1550, NSManagedObjectValidationError, CocoaError.managedObjectValidation, .managedObjectValidation),
        Names(1551, NSManagedObjectConstraintValidationError),
        Names(1560, NSValidationMultipleErrorsError, CocoaError.validationMultipleErrors, .validationMultipleErrors),
        Names(
            1570,
            NSValidationMissingMandatoryPropertyError,
            CocoaError.validationMissingMandatoryProperty,
            .validationMissingMandatoryProperty
        ),
        Names(
            1580,
            NSValidationRelationshipLacksMinimumCountError,
            CocoaError.validationRelationshipLacksMinimumCount,
            .validationRelationshipLacksMinimumCount
        ),
        Names(
            1590,
            NSValidationRelationshipExceedsMaximumCountError,
            CocoaError.validationRelationshipExceedsMaximumCount,
            .validationRelationshipExceedsMaximumCount
        ),
        Names(
            1600,
            NSValidationRelationshipDeniedDeleteError,
            CocoaError.validationRelationshipDeniedDelete,
            .validationRelationshipDeniedDelete
        ),
        Names(1610, NSValidationNumberTooLargeError, CocoaError.validationNumberTooLarge, .validationNumberTooLarge),
        Names(1620, NSValidationNumberTooSmallError, CocoaError.validationNumberTooSmall, .validationNumberTooSmall),
        Names(1630, NSValidationDateTooLateError, CocoaError.validationDateTooLate, .validationDateTooLate),
        Names(1640, NSValidationDateTooSoonError, CocoaError.validationDateTooSoon, .validationDateTooSoon),
        Names(1650, NSValidationInvalidDateError, CocoaError.validationInvalidDate, .validationInvalidDate),
        Names(1660, NSValidationStringTooLongError, CocoaError.validationStringTooLong, .validationStringTooLong),
        Names(1670, NSValidationStringTooShortError, CocoaError.validationStringTooShort, .validationStringTooShort),
        Names(
            1680,
            NSValidationStringPatternMatchingError,
            CocoaError.validationStringPatternMatching,
            .validationStringPatternMatching
        ),
        Names(1690, NSValidationInvalidURIError),
        Names(
            132000,
            NSManagedObjectContextLockingError,
            CocoaError.managedObjectContextLocking,
            .managedObjectContextLocking
        ),
        Names(
            132010,
            NSPersistentStoreCoordinatorLockingError,
            CocoaError.persistentStoreCoordinatorLocking,
            .persistentStoreCoordinatorLocking
        ),
        Names(
            133000,
            NSManagedObjectReferentialIntegrityError,
            CocoaError.managedObjectReferentialIntegrity,
            .managedObjectReferentialIntegrity
        ),
        Names(
            133010,
            NSManagedObjectExternalRelationshipError,
            CocoaError.managedObjectExternalRelationship,
            .managedObjectExternalRelationship
        ),
        Names(133020, NSManagedObjectMergeError, CocoaError.managedObjectMerge, .managedObjectMerge),
        Names(
            133021,
            NSManagedObjectConstraintMergeError,
            CocoaError.managedObjectConstraintMerge,
            .managedObjectConstraintMerge
        ),
        Names(
            134000,
            NSPersistentStoreInvalidTypeError,
            CocoaError.persistentStoreInvalidType,
            .persistentStoreInvalidType
        ),
        Names(
            134010,
            NSPersistentStoreTypeMismatchError,
            CocoaError.persistentStoreTypeMismatch,
            .persistentStoreTypeMismatch
        ),
        Names(
            134020,
            NSPersistentStoreIncompatibleSchemaError,
            CocoaError.persistentStoreIncompatibleSchema,
            .persistentStoreIncompatibleSchema
        ),
        Names(134030, NSPersistentStoreSaveError, CocoaError.persistentStoreSave, .persistentStoreSave),
        Names(
            134040,
            NSPersistentStoreIncompleteSaveError,
            CocoaError.persistentStoreIncompleteSave,
            .persistentStoreIncompleteSave
        ),
        Names(
            134050,
            NSPersistentStoreSaveConflictsError,
            CocoaError.persistentStoreSaveConflicts,
            .persistentStoreSaveConflicts
        ),
        Names(134060, NSCoreDataError, CocoaError.coreData, .coreData),
        Names(134070, NSPersistentStoreOperationError, CocoaError.persistentStoreOperation, .persistentStoreOperation),
        Names(134080, NSPersistentStoreOpenError, CocoaError.persistentStoreOpen, .persistentStoreOpen),
        Names(134090, NSPersistentStoreTimeoutError, CocoaError.persistentStoreTimeout, .persistentStoreTimeout),
        Names(
            134091,
            NSPersistentStoreUnsupportedRequestTypeError,
            CocoaError.persistentStoreUnsupportedRequestType,
            .persistentStoreUnsupportedRequestType
        ),
        Names(
            134100,
            NSPersistentStoreIncompatibleVersionHashError,
            CocoaError.persistentStoreIncompatibleVersionHash,
            .persistentStoreIncompatibleVersionHash
        ),
        Names(134110, NSMigrationError, CocoaError.migration, .migration),
        Names(134111, NSMigrationConstraintViolationError),
        Names(134120, NSMigrationCancelledError, CocoaError.migrationCancelled, .migrationCancelled),
        Names(
            134130,
            NSMigrationMissingSourceModelError,
            CocoaError.migrationMissingSourceModel,
            .migrationMissingSourceModel
        ),
        Names(
            134140,
            NSMigrationMissingMappingModelError,
            CocoaError.migrationMissingMappingModel,
            .migrationMissingMappingModel
        ),
        Names(
            134150,
            NSMigrationManagerSourceStoreError,
            CocoaError.migrationManagerSourceStore,
            .migrationManagerSourceStore
        ),
        Names(
            134160,
            NSMigrationManagerDestinationStoreError,
            CocoaError.migrationManagerDestinationStore,
            .migrationManagerDestinationStore
        ),
        Names(134170, NSEntityMigrationPolicyError, CocoaError.entityMigrationPolicy, .entityMigrationPolicy),
        Names(134180, NSSQLiteError, CocoaError.sqlite, .sqlite),
        Names(134190, NSInferredMappingModelError, CocoaError.inferredMappingModel, .inferredMappingModel),
        Names(134200, NSExternalRecordImportError, CocoaError.externalRecordImport, .externalRecordImport),
        Names(134301, NSPersistentHistoryTokenExpiredError),
        Names(134504, NSManagedObjectModelReferenceNotFoundError),
        Names(134505, NSStagedMigrationFrameworkVersionMismatchError),
        Names(134506, NSStagedMigrationBackwardMigrationError),
    ]

    @Test func everyCodeHasApplesNumberUnderEachOfItsNames() {
        expectEqual(Set(Self.codes.map(\.number)).count, 49)
        for names in Self.codes {
            expectEqual(names.constant, names.number)
            for code in names.codes {
                expectEqual(code.rawValue, names.number)
                expectEqual(CocoaError(code).code, code)
            }
        }
    }

    @Test func errorsNameTheirObjectsAndKeys() throws {
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
        #expect(error.validationObject as? NSObject === object)
        expectEqual(error.validationKey, "text")
        #expect(error.validationPredicate === rule)
        expectEqual(error.validationValue as? String, "a")
        expectNil(CocoaError(.validationStringTooShort).affectedStores)
        expectEqual(NSSQLiteErrorDomain, "NSSQLiteErrorDomain")
        expectEqual(NSDetailedErrorsKey, "NSDetailedErrors")
    }
}
