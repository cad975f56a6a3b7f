// The error codes of Core Data, with Apple's names and numbers. Their table with meanings is in CocoaErrorTable.swift.

/// Error code: a value does not satisfy a rule of the model.
public let NSManagedObjectValidationError: Int = 1550
/// Error code: an object does not satisfy a uniqueness constraint.
public let NSManagedObjectConstraintValidationError: Int = 1551
/// Error code: several values are not valid.
public let NSValidationMultipleErrorsError: Int = 1560
/// Error code: a required value is missing.
public let NSValidationMissingMandatoryPropertyError: Int = 1570
/// Error code: a relationship has too few objects.
public let NSValidationRelationshipLacksMinimumCountError: Int = 1580
/// Error code: a relationship has too many objects.
public let NSValidationRelationshipExceedsMaximumCountError: Int = 1590
/// Error code: an object cannot be deleted while a relationship with the rule Deny is not empty.
public let NSValidationRelationshipDeniedDeleteError: Int = 1600
/// Error code: a number is too large.
public let NSValidationNumberTooLargeError: Int = 1610
/// Error code: a number is too small.
public let NSValidationNumberTooSmallError: Int = 1620
/// Error code: a date is too late.
public let NSValidationDateTooLateError: Int = 1630
/// Error code: a date is too early.
public let NSValidationDateTooSoonError: Int = 1640
/// Error code: a date is not valid.
public let NSValidationInvalidDateError: Int = 1650
/// Error code: a string is too long.
public let NSValidationStringTooLongError: Int = 1660
/// Error code: a string is too short.
public let NSValidationStringTooShortError: Int = 1670
/// Error code: a string does not match its pattern.
public let NSValidationStringPatternMatchingError: Int = 1680
/// Error code: a URI is not valid.
public let NSValidationInvalidURIError: Int = 1690
/// Error code: a context could not be locked.
public let NSManagedObjectContextLockingError: Int = 132000
/// Error code: a coordinator could not be locked.
public let NSPersistentStoreCoordinatorLockingError: Int = 132010
/// Error code: an object refers to one that does not exist.
public let NSManagedObjectReferentialIntegrityError: Int = 133000
/// Error code: a relationship refers to an object in another store.
public let NSManagedObjectExternalRelationshipError: Int = 133010
/// Error code: an object was changed by another context or process in the meantime.
public let NSManagedObjectMergeError: Int = 133020
/// Error code: two objects have the same values in a uniqueness constraint.
public let NSManagedObjectConstraintMergeError: Int = 133021
/// Error code: the store type is unknown.
public let NSPersistentStoreInvalidTypeError: Int = 134000
/// Error code: the file is not a store of the requested type.
public let NSPersistentStoreTypeMismatchError: Int = 134010
/// Error code: the store's tables do not agree with the model.
public let NSPersistentStoreIncompatibleSchemaError: Int = 134020
/// Error code: the store could not be saved.
public let NSPersistentStoreSaveError: Int = 134030
/// Error code: one or more of several stores could not be saved.
public let NSPersistentStoreIncompleteSaveError: Int = 134040
/// Error code: a conflict could not be resolved during the save.
public let NSPersistentStoreSaveConflictsError: Int = 134050
/// Error code: an error without a more specific code.
public let NSCoreDataError: Int = 134060
/// Error code: an operation on the store failed.
public let NSPersistentStoreOperationError: Int = 134070
/// Error code: the store could not be opened.
public let NSPersistentStoreOpenError: Int = 134080
/// Error code: the store did not respond in time.
public let NSPersistentStoreTimeoutError: Int = 134090
/// Error code: the store does not support this kind of request.
public let NSPersistentStoreUnsupportedRequestTypeError: Int = 134091
/// Error code: the store was created with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError: Int = 134100
/// Error code: a migration failed.
public let NSMigrationError: Int = 134110
/// Error code: a migration broke a uniqueness constraint.
public let NSMigrationConstraintViolationError: Int = 134111
/// Error code: a migration was cancelled.
public let NSMigrationCancelledError: Int = 134120
/// Error code: the model that the store was created with was not found.
public let NSMigrationMissingSourceModelError: Int = 134130
/// Error code: no mapping model was found.
public let NSMigrationMissingMappingModelError: Int = 134140
/// Error code: the store to migrate from could not be used.
public let NSMigrationManagerSourceStoreError: Int = 134150
/// Error code: the store to migrate to could not be used.
public let NSMigrationManagerDestinationStoreError: Int = 134160
/// Error code: a migration policy failed.
public let NSEntityMigrationPolicyError: Int = 134170
/// Error code: SQLite reported an error.
public let NSSQLiteError: Int = 134180
/// Error code: a mapping model could not be inferred.
public let NSInferredMappingModelError: Int = 134190
/// Error code: an external record could not be imported.
public let NSExternalRecordImportError: Int = 134200
/// Error code: the history before this token was deleted.
public let NSPersistentHistoryTokenExpiredError: Int = 134301
/// Error code: a model reference could not be resolved.
public let NSManagedObjectModelReferenceNotFoundError: Int = 134504
/// Error code: the store was written by a newer framework than the migration stages support.
public let NSStagedMigrationFrameworkVersionMismatchError: Int = 134505
/// Error code: the store is of a later version than the migration stages end with.
public let NSStagedMigrationBackwardMigrationError: Int = 134506
