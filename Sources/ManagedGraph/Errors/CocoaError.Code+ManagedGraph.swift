// The error codes of Core Data as values of CocoaError.Code.
import Foundation

extension CocoaError.Code {
    /// A value does not satisfy a rule of the model.
    public static var managedObjectValidation: Self { Self(rawValue: NSManagedObjectValidationError) }
    /// Several values are not valid.
    public static var validationMultipleErrors: Self { Self(rawValue: NSValidationMultipleErrorsError) }
    /// A required value is missing.
    public static var validationMissingMandatoryProperty: Self {
        Self(rawValue: NSValidationMissingMandatoryPropertyError)
    }
    /// A relationship has too few objects.
    public static var validationRelationshipLacksMinimumCount: Self {
        Self(rawValue: NSValidationRelationshipLacksMinimumCountError)
    }
    /// A relationship has too many objects.
    public static var validationRelationshipExceedsMaximumCount: Self {
        Self(rawValue: NSValidationRelationshipExceedsMaximumCountError)
    }
    /// An object cannot be deleted while a relationship with the rule Deny is not empty.
    public static var validationRelationshipDeniedDelete: Self {
        Self(rawValue: NSValidationRelationshipDeniedDeleteError)
    }
    /// A number is too large.
    public static var validationNumberTooLarge: Self { Self(rawValue: NSValidationNumberTooLargeError) }
    /// A number is too small.
    public static var validationNumberTooSmall: Self { Self(rawValue: NSValidationNumberTooSmallError) }
    /// A date is too late.
    public static var validationDateTooLate: Self { Self(rawValue: NSValidationDateTooLateError) }
    /// A date is too early.
    public static var validationDateTooSoon: Self { Self(rawValue: NSValidationDateTooSoonError) }
    /// A date is not valid.
    public static var validationInvalidDate: Self { Self(rawValue: NSValidationInvalidDateError) }
    /// A string is too long.
    public static var validationStringTooLong: Self { Self(rawValue: NSValidationStringTooLongError) }
    /// A string is too short.
    public static var validationStringTooShort: Self { Self(rawValue: NSValidationStringTooShortError) }
    /// A string does not match its pattern.
    public static var validationStringPatternMatching: Self { Self(rawValue: NSValidationStringPatternMatchingError) }
    /// A context could not be locked.
    public static var managedObjectContextLocking: Self { Self(rawValue: NSManagedObjectContextLockingError) }
    /// A coordinator could not be locked.
    public static var persistentStoreCoordinatorLocking: Self {
        Self(rawValue: NSPersistentStoreCoordinatorLockingError)
    }
    /// An object refers to one that does not exist.
    public static var managedObjectReferentialIntegrity: Self {
        Self(rawValue: NSManagedObjectReferentialIntegrityError)
    }
    /// A relationship refers to an object in another store.
    public static var managedObjectExternalRelationship: Self {
        Self(rawValue: NSManagedObjectExternalRelationshipError)
    }
    /// An object was changed by another context or process in the meantime.
    public static var managedObjectMerge: Self { Self(rawValue: NSManagedObjectMergeError) }
    /// Two objects have the same values in a uniqueness constraint.
    public static var managedObjectConstraintMerge: Self { Self(rawValue: NSManagedObjectConstraintMergeError) }
    /// The store type is unknown.
    public static var persistentStoreInvalidType: Self { Self(rawValue: NSPersistentStoreInvalidTypeError) }
    /// The file is not a store of the requested type.
    public static var persistentStoreTypeMismatch: Self { Self(rawValue: NSPersistentStoreTypeMismatchError) }
    /// The store's tables do not agree with the model.
    public static var persistentStoreIncompatibleSchema: Self {
        Self(rawValue: NSPersistentStoreIncompatibleSchemaError)
    }
    /// The store could not be saved.
    public static var persistentStoreSave: Self { Self(rawValue: NSPersistentStoreSaveError) }
    /// One or more of several stores could not be saved.
    public static var persistentStoreIncompleteSave: Self { Self(rawValue: NSPersistentStoreIncompleteSaveError) }
    /// A conflict could not be resolved during the save.
    public static var persistentStoreSaveConflicts: Self { Self(rawValue: NSPersistentStoreSaveConflictsError) }
    /// An error without a more specific code.
    public static var coreData: Self { Self(rawValue: NSCoreDataError) }
    /// An operation on the store failed.
    public static var persistentStoreOperation: Self { Self(rawValue: NSPersistentStoreOperationError) }
    /// The store could not be opened.
    public static var persistentStoreOpen: Self { Self(rawValue: NSPersistentStoreOpenError) }
    /// The store did not respond in time.
    public static var persistentStoreTimeout: Self { Self(rawValue: NSPersistentStoreTimeoutError) }
    /// The store does not support this kind of request.
    public static var persistentStoreUnsupportedRequestType: Self {
        Self(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
    }
    /// The store was created with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: Self {
        Self(rawValue: NSPersistentStoreIncompatibleVersionHashError)
    }
    /// A migration failed.
    public static var migration: Self { Self(rawValue: NSMigrationError) }
    /// A migration was cancelled.
    public static var migrationCancelled: Self { Self(rawValue: NSMigrationCancelledError) }
    /// The model that the store was created with was not found.
    public static var migrationMissingSourceModel: Self { Self(rawValue: NSMigrationMissingSourceModelError) }
    /// No mapping model was found.
    public static var migrationMissingMappingModel: Self { Self(rawValue: NSMigrationMissingMappingModelError) }
    /// The store to migrate from could not be used.
    public static var migrationManagerSourceStore: Self { Self(rawValue: NSMigrationManagerSourceStoreError) }
    /// The store to migrate to could not be used.
    public static var migrationManagerDestinationStore: Self { Self(rawValue: NSMigrationManagerDestinationStoreError) }
    /// A migration policy failed.
    public static var entityMigrationPolicy: Self { Self(rawValue: NSEntityMigrationPolicyError) }
    /// SQLite reported an error.
    public static var sqlite: Self { Self(rawValue: NSSQLiteError) }
    /// A mapping model could not be inferred.
    public static var inferredMappingModel: Self { Self(rawValue: NSInferredMappingModelError) }
    /// An external record could not be imported.
    public static var externalRecordImport: Self { Self(rawValue: NSExternalRecordImportError) }
}
