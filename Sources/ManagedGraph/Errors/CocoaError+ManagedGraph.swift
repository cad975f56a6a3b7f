// The error codes of Core Data as static members of CocoaError.
import Foundation

extension CocoaError {
    /// A value does not satisfy a rule of the model.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// Several values are not valid.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// A required value is missing.
    public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
    /// A relationship has too few objects.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }
    /// A relationship has too many objects.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// An object cannot be deleted while a relationship with the rule Deny is not empty.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
    /// A number is too large.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// A number is too small.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// A date is too late.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// A date is too early.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// A date is not valid.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// A string is too long.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// A string is too short.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// A string does not match its pattern.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// A context could not be locked.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// A coordinator could not be locked.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
    /// An object refers to one that does not exist.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
    /// A relationship refers to an object in another store.
    public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
    /// An object was changed by another context or process in the meantime.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// Two objects have the same values in a uniqueness constraint.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// The store type is unknown.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// The file is not a store of the requested type.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// The store's tables do not agree with the model.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
    /// The store could not be saved.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// One or more of several stores could not be saved.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// A conflict could not be resolved during the save.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// An error without a more specific code.
    public static var coreData: CocoaError.Code { .coreData }
    /// An operation on the store failed.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// The store could not be opened.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// The store did not respond in time.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// The store does not support this kind of request.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
    /// The store was created with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }
    /// A migration failed.
    public static var migration: CocoaError.Code { .migration }
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// The model that the store was created with was not found.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// No mapping model was found.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// The store to migrate from could not be used.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// The store to migrate to could not be used.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// A migration policy failed.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    /// SQLite reported an error.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// A mapping model could not be inferred.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// An external record could not be imported.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
