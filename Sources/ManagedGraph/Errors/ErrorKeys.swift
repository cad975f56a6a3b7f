// The keys of userInfo dictionaries, with Apple's names and texts.

/// The errors that an error with code 1560 consists of: an array.
public let NSDetailedErrorsKey: String = "NSDetailedErrors"
/// The object that is not valid.
public let NSValidationObjectErrorKey: String = "NSValidationErrorObject"
/// The key whose value is not valid.
public let NSValidationKeyErrorKey: String = "NSValidationErrorKey"
/// The predicate that a value does not satisfy.
public let NSValidationPredicateErrorKey: String = "NSValidationErrorPredicate"
/// The value that is not valid.
public let NSValidationValueErrorKey: String = "NSValidationErrorValue"
/// The stores that an error concerns: an array.
public let NSAffectedStoresErrorKey: String = "NSAffectedStoresErrorKey"
/// The objects that an error concerns: an array.
public let NSAffectedObjectsErrorKey: String = "NSAffectedObjectsErrorKey"
/// The merge conflicts of a save: an array.
public let NSPersistentStoreSaveConflictsErrorKey: String = "conflictList"
/// The domain of SQLite's own result codes, and the key under which userInfo holds one.
public let NSSQLiteErrorDomain: String = "NSSQLiteErrorDomain"
