// The errors of validation. Thrown by saves and by the validating methods of objects.
import Foundation

extension CoreDataError {
    /// A validation error, with the keys that Apple's frameworks set.
    ///
    /// - Parameters:
    ///   - code: A code from 1550 to 1690.
    ///   - description: The violated rule, without a full stop.
    ///   - remedy: A suggested fix, as a sentence.
    ///   - key: The property.
    ///   - value: The value; nil is reported as `NSNull`.
    ///   - object: The object.
    ///   - predicate: The predicate that is not satisfied.
    /// - Returns: The error.
    package static func validation(
        _ code: Int,
        _ description: String,
        remedy: String,
        key: String?,
        value: Any?,
        object: Any?,
        predicate: NSPredicate? = nil
    ) -> NSError {
        var info: [String: Any] = [NSValidationValueErrorKey: value ?? NSNull()]
        info[NSValidationKeyErrorKey] = key
        info[NSValidationObjectErrorKey] = object
        info[NSValidationPredicateErrorKey] = predicate
        return make(code, description, remedy: remedy, userInfo: info)
    }

    /// An object cannot be deleted, because a relationship with the rule Deny is not empty: 1600.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - value: The related object or objects.
    ///   - object: The object.
    /// - Returns: The error.
    package static func deniedDelete(
        _ relationship: NSRelationshipDescription,
        value: Any?,
        object: Any?
    ) -> NSError {
        let entity = relationship.owner?.name ?? "object"
        return validation(
            NSValidationRelationshipDeniedDeleteError,
            "This \(entity) cannot be deleted while \(entity).\(relationship.name) is not empty",
            remedy: "Empty \(relationship.name) first.",
            key: relationship.name,
            value: value,
            object: object
        )
    }
}
