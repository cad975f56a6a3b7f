// Core Data's values in the userInfo of a CocoaError.
import Foundation

extension CocoaError {
    /// The objects that the error concerns.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
    /// The stores that the error concerns.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
    /// The key whose value is not valid.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    /// The object that is not valid.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The predicate that a value does not satisfy.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }
    /// The value that is not valid; nil if a value is missing.
    public var validationValue: Any? {
        let value = userInfo[NSValidationValueErrorKey]
        return value is NSNull ? nil : value
    }
}
