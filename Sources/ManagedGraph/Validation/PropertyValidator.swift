// The model's rules for one property, compiled once for each entity: presence, type, counts, predicates. Called by
// the objects at validateValue(_:forKey:) and by the save for each changed property. Judges values only: uniqueness,
// deny rules and the class's own validate methods are the callers' business.
import Foundation
import GraphModel
import GraphPredicates

/// What the model demands of the values of one property.
// Sendable: the rules hold predicates, which nobody changes once the model is in use.
package struct PropertyValidator: @unchecked Sendable {
    /// The kinds of property, as far as validation tells them apart.
    private enum Kind {
        case attribute(GraphModel.AttributeType)
        case toOne
        case toMany(minimum: Int, maximum: Int)
        case unchecked
    }

    /// The name of the property.
    package let key: String
    /// How messages name the property: `Task.text`, or what the model's localization says.
    package var displayName: String { Self.displayName(of: property) }
    /// Whether an object must have a value.
    package let isRequired: Bool
    /// Whether there is anything that `error(for:of:)` could find wrong in a value of the right type.
    package let hasRules: Bool
    /// What an integer attribute can hold; nil for all other properties and for 64 bits.
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
            // The store computes it: an object may not have the value yet.
            kind = .unchecked
            isRequired = false
            integerRange = nil
        case let attribute as NSAttributeDescription:
            let type = GraphModel.AttributeType(rawValue: Int(attribute.attributeType.rawValue)) ?? .undefined
            kind = .attribute(type)
            isRequired = !attribute.isOptional
            integerRange = Self.range(of: type)
        case let relationship as NSRelationshipDescription:
            // A minimum of 0 is no minimum, also where the relationship is not optional: an empty collection is a value.
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

    /// Judges a value.
    ///
    /// - Parameters:
    ///   - value: The value; for a to-many relationship its collection. `NSNull` stands for nil.
    ///   - object: The object it belongs to, for the error's userInfo.
    /// - Returns: An error with a code from 1550 to 1690, several of them as one of 1560, or nil.
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

    /// Judges a value.
    ///
    /// - Parameters:
    ///   - value: The value; for a to-many relationship its collection. `NSNull` stands for nil.
    ///   - object: The object it belongs to, for the error's userInfo.
    /// - Throws: What `error(for:of:)` returns.
    package func validate(_ value: Any?, object: Any?) throws {
        if let error = error(for: value, of: object) { throw error }
    }

    /// Whether presence is all that the model demands, so that `presenceError(isPresent:of:)` says everything.
    package var isOnlyRequired: Bool {
        guard isRequired, rules.isEmpty, integerRange == nil else { return false }
        if case .toMany = kind { return false }
        return true
    }

    /// Whether the number of objects is all that the model demands, so that `countError(_:of:)` says everything.
    package var isOnlyCounted: Bool {
        guard case .toMany = kind else { return false }
        return rules.isEmpty
    }

    /// Whether presence, and for an integer its range, is all that the model demands.
    package var isPresenceAndRange: Bool {
        guard isRequired, rules.isEmpty else { return false }
        if case .toMany = kind { return false }
        return true
    }

    /// The error of a required property without a value, or nil.
    ///
    /// O(1); for callers that know the value's presence without boxing it.
    ///
    /// - Parameters:
    ///   - isPresent: Whether there is a value.
    ///   - object: The object it belongs to.
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
    ///   - object: The object it belongs to.
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
