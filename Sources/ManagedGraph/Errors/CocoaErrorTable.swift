// One row for each error code: its name and meaning. The error factories take their texts from here.

/// The table of Core Data's error codes.
package enum CocoaErrorTable {
    /// One code.
    package struct Row: Sendable {
        package let code: Int
        /// Apple's name of the constant.
        package let name: String
        /// A clause that describes the failure.
        package let meaning: String

        init(_ code: Int, _ name: String, _ meaning: String) {
            self.code = code
            self.name = name
            self.meaning = meaning
        }
    }

    /// All codes, ascending.
    package static let rows: [Row] = [
        Row(
            NSManagedObjectValidationError,
            "NSManagedObjectValidationError",
            "a value does not satisfy a rule of the model"
        ),
        Row(
            NSManagedObjectConstraintValidationError,
            "NSManagedObjectConstraintValidationError",
            "an object does not satisfy a uniqueness constraint"
        ),
        Row(NSValidationMultipleErrorsError, "NSValidationMultipleErrorsError", "several values are not valid"),
        Row(
            NSValidationMissingMandatoryPropertyError,
            "NSValidationMissingMandatoryPropertyError",
            "a required value is missing"
        ),
        Row(
            NSValidationRelationshipLacksMinimumCountError,
            "NSValidationRelationshipLacksMinimumCountError",
            "a relationship has too few objects"
        ),
        Row(
            NSValidationRelationshipExceedsMaximumCountError,
            "NSValidationRelationshipExceedsMaximumCountError",
            "a relationship has too many objects"
        ),
        Row(
            NSValidationRelationshipDeniedDeleteError,
            "NSValidationRelationshipDeniedDeleteError",
            "an object cannot be deleted while a relationship with the rule Deny is not empty"
        ),
        Row(NSValidationNumberTooLargeError, "NSValidationNumberTooLargeError", "a number is too large"),
        Row(NSValidationNumberTooSmallError, "NSValidationNumberTooSmallError", "a number is too small"),
        Row(NSValidationDateTooLateError, "NSValidationDateTooLateError", "a date is too late"),
        Row(NSValidationDateTooSoonError, "NSValidationDateTooSoonError", "a date is too early"),
        Row(NSValidationInvalidDateError, "NSValidationInvalidDateError", "a date is not valid"),
        Row(NSValidationStringTooLongError, "NSValidationStringTooLongError", "a text is too long"),
        Row(NSValidationStringTooShortError, "NSValidationStringTooShortError", "a text is too short"),
        Row(
            NSValidationStringPatternMatchingError,
            "NSValidationStringPatternMatchingError",
            "a text does not match its pattern"
        ),
        Row(NSValidationInvalidURIError, "NSValidationInvalidURIError", "a URI is not valid"),
        Row(NSManagedObjectContextLockingError, "NSManagedObjectContextLockingError", "a context could not be locked"),
        Row(
            NSPersistentStoreCoordinatorLockingError,
            "NSPersistentStoreCoordinatorLockingError",
            "a coordinator could not be locked"
        ),
        Row(
            NSManagedObjectReferentialIntegrityError,
            "NSManagedObjectReferentialIntegrityError",
            "an object refers to one that does not exist"
        ),
        Row(
            NSManagedObjectExternalRelationshipError,
            "NSManagedObjectExternalRelationshipError",
            "a relationship leads into another store"
        ),
        Row(NSManagedObjectMergeError, "NSManagedObjectMergeError", "an object was changed elsewhere in the meantime"),
        Row(
            NSManagedObjectConstraintMergeError,
            "NSManagedObjectConstraintMergeError",
            "two objects have the same values in a uniqueness constraint"
        ),
        Row(
            NSPersistentStoreInvalidTypeError,
            "NSPersistentStoreInvalidTypeError",
            "the type of the store is not known"
        ),
        Row(
            NSPersistentStoreTypeMismatchError,
            "NSPersistentStoreTypeMismatchError",
            "the file is not a store of the type that was asked for"
        ),
        Row(
            NSPersistentStoreIncompatibleSchemaError,
            "NSPersistentStoreIncompatibleSchemaError",
            "the store's tables do not agree with the model"
        ),
        Row(NSPersistentStoreSaveError, "NSPersistentStoreSaveError", "the store could not be saved"),
        Row(
            NSPersistentStoreIncompleteSaveError,
            "NSPersistentStoreIncompleteSaveError",
            "one or more of several stores could not be saved"
        ),
        Row(
            NSPersistentStoreSaveConflictsError,
            "NSPersistentStoreSaveConflictsError",
            "a conflict could not be resolved during the save"
        ),
        Row(NSCoreDataError, "NSCoreDataError", "something is wrong that has no code of its own"),
        Row(NSPersistentStoreOperationError, "NSPersistentStoreOperationError", "an operation on the store failed"),
        Row(NSPersistentStoreOpenError, "NSPersistentStoreOpenError", "the store could not be opened"),
        Row(NSPersistentStoreTimeoutError, "NSPersistentStoreTimeoutError", "the store did not answer in time"),
        Row(
            NSPersistentStoreUnsupportedRequestTypeError,
            "NSPersistentStoreUnsupportedRequestTypeError",
            "the store does not support this kind of request"
        ),
        Row(
            NSPersistentStoreIncompatibleVersionHashError,
            "NSPersistentStoreIncompatibleVersionHashError",
            "the store was made with another version of the model"
        ),
        Row(NSMigrationError, "NSMigrationError", "a migration failed"),
        Row(
            NSMigrationConstraintViolationError,
            "NSMigrationConstraintViolationError",
            "a migration broke a uniqueness constraint"
        ),
        Row(NSMigrationCancelledError, "NSMigrationCancelledError", "a migration was cancelled"),
        Row(
            NSMigrationMissingSourceModelError,
            "NSMigrationMissingSourceModelError",
            "the model that the store was made with was not found"
        ),
        Row(NSMigrationMissingMappingModelError, "NSMigrationMissingMappingModelError", "no mapping model was found"),
        Row(
            NSMigrationManagerSourceStoreError,
            "NSMigrationManagerSourceStoreError",
            "the store to migrate from could not be used"
        ),
        Row(
            NSMigrationManagerDestinationStoreError,
            "NSMigrationManagerDestinationStoreError",
            "the store to migrate to could not be used"
        ),
        Row(NSEntityMigrationPolicyError, "NSEntityMigrationPolicyError", "a migration policy failed"),
        Row(NSSQLiteError, "NSSQLiteError", "SQLite reported an error"),
        Row(NSInferredMappingModelError, "NSInferredMappingModelError", "a mapping model could not be inferred"),
        Row(NSExternalRecordImportError, "NSExternalRecordImportError", "an external record could not be imported"),
        Row(
            NSPersistentHistoryTokenExpiredError,
            "NSPersistentHistoryTokenExpiredError",
            "the history before this token was deleted"
        ),
        Row(
            NSManagedObjectModelReferenceNotFoundError,
            "NSManagedObjectModelReferenceNotFoundError",
            "a model reference could not be resolved"
        ),
        Row(
            NSStagedMigrationFrameworkVersionMismatchError,
            "NSStagedMigrationFrameworkVersionMismatchError",
            "the store was written by a newer framework than the migration stages support"
        ),
        Row(
            NSStagedMigrationBackwardMigrationError,
            "NSStagedMigrationBackwardMigrationError",
            "the store is of a later version than the migration stages end with"
        ),
    ]

    /// The row of a code.
    ///
    /// O(log n).
    ///
    /// - Parameter code: The code.
    /// - Returns: The row, or nil for a code that is not Core Data's.
    package static func row(for code: Int) -> Row? {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].code < code { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].code == code ? rows[low] : nil
    }
}
