// A relationship of an entity, as a value. Wrapped by `Property`.
import Foundation

/// A relationship with its destination, its inverse, its counts and its delete rule.
package struct Relationship: Sendable, Hashable {
    package var common: PropertyCommon
    package var destinationEntityName: String
    package var inverseName: String?
    /// 0 if the file has no value.
    package var minCount: Int
    /// 1 is to-one; 0 is to-many without a limit.
    package var maxCount: Int
    /// The value in the file: `toMany="YES"`, or a `maxCount` other than 1.
    package var isToMany: Bool
    package var isOrdered: Bool
    package var deleteRule: DeleteRule

    package init(
        common: PropertyCommon,
        destinationEntityName: String,
        inverseName: String? = nil,
        minCount: Int = 0,
        maxCount: Int = 1,
        isToMany: Bool = false,
        isOrdered: Bool = false,
        deleteRule: DeleteRule = .nullify
    ) {
        self.common = common
        self.destinationEntityName = destinationEntityName
        self.inverseName = inverseName
        self.minCount = minCount
        self.maxCount = maxCount
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.deleteRule = deleteRule
    }

    package var name: String { common.name }

    /// Whether every object must have a related object.
    ///
    /// A to-many relationship without a minimum may be empty, even if it is not optional.
    package var isRequired: Bool { !common.isOptional && (!isToMany || minCount > 0) }
}
