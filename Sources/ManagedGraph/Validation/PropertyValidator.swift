// The model's rules for one property, compiled once for each entity: presence, type, counts, predicates. Objects apply
// them in validateValue(_:forKey:), and a save to each changed property. They cover values only: callers check
// uniqueness, deny rules and the class's own validate methods.
import Foundation
import GraphModel
import GraphPredicates

/// The model's rules for the values of one property.
// Sendable: the rules hold predicates, which do not change once the model is in use.
package struct PropertyValidator: @unchecked Sendable {
    /// The kinds of property that validation distinguishes.
    private enum Kind {
        case attribute(GraphModel.AttributeType)
        case toOne
        case toMany(minimum: Int, maximum: Int)
        case unchecked
    }

    /// The name of the property.
    package let key: String
    /// The property's name in messages: `Task.text`, or its name in the model's localization.
    package var displayName: String { Self.displayName(of: property) }
    /// Whether an object must have a value.
    package let isRequired: Bool
    /// Whether `error(for:of:)` could reject a value of the right type.
    package let hasRules: Bool
    /// The values an integer attribute can hold; nil for all other properties and for 64 bits.
    package let integerRange: ClosedRange<Int64>?

    private let property: NSPropertyDescription
    private let kind: Kind
    private let rules: [ValueRule]

    /// Compiles the rules of a property.
    ///
    /// - Parameter property: A property of a model in use.
    package init(_ property: NSPropertyDescription) {
        key = property.name
        self.property = property
        rules = ValueRule.rules(of: property)
        switch property {
        case is NSDerivedAttributeDescription:
            // The store computes the value, so an object may not have it yet.
            kind = .unchecked
            isRequired = false
            integerRange = nil
        case let attribute as NSAttributeDescription:
            let type = GraphModel.AttributeType(rawValue: Int(attribute.attributeType.rawValue)) ?? .undefined
            kind = .attribute(type)
            isRequired = !attribute.isOptional
            integerRange = Self.range(of: type)
        case let relationship as NSRelationshipDescription:
            // A minimum of 0 has no effect, even if the relationship is not optional: an empty collection is a value.
            let (minimum, maximum) = (relationship.minCount, relationship.maxCount)
            kind = relationship.isToMany ? .toMany(minimum: minimum, maximum: maximum) : .toOne
            isRequired = !relationship.isOptional
            integerRange = nil
        default:
            kind = .unchecked
            isRequired = false
            integerRange = nil
        }
        switch kind {
        case .unchecked: hasRules = false
        case .toMany(let minimum, let maximum): hasRules = minimum > 0 || maximum > 0 || !rules.isEmpty
        case .attribute, .toOne: hasRules = isRequired || !rules.isEmpty
        }
    }

    /// Returns the error of an invalid value.
    ///
    /// - Parameters:
    ///   - value: The value; for a to-many relationship its collection. `NSNull` stands for nil.
    ///   - object: The object that has the value, for the error's userInfo.
    /// - Returns: An error with a code from 1550 to 1690, several combined into one with code 1560, or nil.
    package func error(for value: Any?, of object: Any?) -> NSError? {
        let value = value is NSNull ? nil : value
        switch kind {
        case .unchecked:
            return nil
        case .toOne:
            guard let value else { return presenceError(isPresent: false, of: object) }
            return ruleErrors(value, of: object)
        case .toMany:
            if let error = countError(Self.count(of: value), value: value, of: object) { return error }
            return value.flatMap { ruleErrors($0, of: object) }
        case .attribute(let type):
            guard let value else { return presenceError(isPresent: false, of: object) }
            guard ValueTypeCheck.accepts(value, as: type) else { return typeError(value, type: type, of: object) }
            if let error = rangeError(value, of: object) { return error }
            return ruleErrors(value, of: object)
        }
    }

    /// Throws the error of an invalid value.
    ///
    /// - Parameters:
    ///   - value: The value; for a to-many relationship its collection. `NSNull` stands for nil.
    ///   - object: The object that has the value, for the error's userInfo.
    /// - Throws: The error that `error(for:of:)` returns.
    package func validate(_ value: Any?, object: Any?) throws {
        if let error = error(for: value, of: object) { throw error }
    }

    /// Whether presence is the only rule, so that `presenceError(isPresent:of:)` is a complete check.
    package var isOnlyRequired: Bool {
        guard isRequired, rules.isEmpty, integerRange == nil else { return false }
        if case .toMany = kind { return false }
        return true
    }

    /// Whether the count is the only rule, so that `countError(_:of:)` is a complete check.
    package var isOnlyCounted: Bool {
        guard case .toMany = kind else { return false }
        return rules.isEmpty
    }

    /// Whether presence, and for an integer its range, are the only rules.
    package var isPresenceAndRange: Bool {
        guard isRequired, rules.isEmpty else { return false }
        if case .toMany = kind { return false }
        return true
    }

    /// The error of a required property that has no value, or nil.
    ///
    /// O(1); for callers that can test for the value without boxing it.
    ///
    /// - Parameters:
    ///   - isPresent: Whether there is a value.
    ///   - object: The object that has the property.
    /// - Returns: An error with code 1570, or nil.
    package func presenceError(isPresent: Bool, of object: Any?) -> NSError? {
        guard isRequired, !isPresent else { return nil }
        return CoreDataError.validation(
            NSValidationMissingMandatoryPropertyError,
            "\(displayName) is required",
            remedy: "Give \(key) a value before saving.",
            key: key,
            value: nil,
            object: object
        )
    }

    /// The error of a to-many relationship with too few or too many objects, or nil.
    ///
    /// - Parameters:
    ///   - count: The number of objects.
    ///   - value: The collection, for the error's userInfo.
    ///   - object: The object that has the relationship.
    /// - Returns: An error with code 1580 or 1590, or nil.
    package func countError(_ count: Int, value: Any? = nil, of object: Any?) -> NSError? {
        guard case .toMany(let minimum, let maximum) = kind else { return nil }
        if count < minimum, count > 0 || isRequired {
            return CoreDataError.validation(
                NSValidationRelationshipLacksMinimumCountError,
                "\(displayName) has too few objects: \(count), the model asks for at least \(minimum)",
                remedy: "Add objects to \(key).",
                key: key,
                value: value,
                object: object
            )
        }
        if maximum > 0, count > maximum {
            return CoreDataError.validation(
                NSValidationRelationshipExceedsMaximumCountError,
                "\(displayName) has too many objects: \(count), the model allows at most \(maximum)",
                remedy: "Remove objects from \(key).",
                key: key,
                value: value,
                object: object
            )
        }
        return nil
    }

    private func ruleErrors(_ value: Any, of object: Any?) -> NSError? {
        CoreDataError.combine(
            rules.lazy.filter { !$0.allows(value) }.map { $0.error(value, key: key, name: displayName, object: object) }
        )
    }

    private func rangeError(_ value: Any, of object: Any?) -> NSError? {
        guard let integerRange, let number = (value as? NSNumber)?.int64Value, !integerRange.contains(number)
        else { return nil }
        let isLarge = number > integerRange.upperBound
        return CoreDataError.validation(
            isLarge ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError,
            "\(displayName) is too \(isLarge ? "large" : "small"): \(number), its type goes from "
                + "\(integerRange.lowerBound) to \(integerRange.upperBound)",
            remedy: "Give \(key) a number in this range, or a wider type in the model.",
            key: key,
            value: value,
            object: object
        )
    }

    private func typeError(_ value: Any, type: GraphModel.AttributeType, of object: Any?) -> NSError {
        CoreDataError.validation(
            NSManagedObjectValidationError,
            "\(displayName) cannot hold a value of type \(Swift.type(of: value)): "
                + "the model says \(ValueTypeCheck.expectation(of: type))",
            remedy: "Give \(key) a value of that type.",
            key: key,
            value: value,
            object: object
        )
    }

    private static func count(of value: Any?) -> Int {
        switch value {
        case let set as NSSet: set.count
        case let set as NSOrderedSet: set.count
        case let set as Set<AnyHashable>: set.count
        case let array as [Any]: array.count
        default: 0
        }
    }

    private static func range(of type: GraphModel.AttributeType) -> ClosedRange<Int64>? {
        switch type {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        default: nil
        }
    }

    private static func displayName(of property: NSPropertyDescription) -> String {
        let entity = property.owner?.name ?? ""
        let texts = property.owner?.owner?.localizationDictionary
        let localized =
            texts?["Property/\(property.name)/Entity/\(entity)"] ?? texts?["Property/\(property.name)"]
        return localized ?? (entity.isEmpty ? property.name : "\(entity).\(property.name)")
    }
}
