// The reasons why a property cannot hold a value, and the error that a save reports. Created when key-value coding or
// an accessor sets the value; independent of contexts and stores.
import Foundation
import GraphModel
import GraphSQL

/// The reason why a property cannot hold a value.
enum Refusal: Error {
    /// The entity has no such property.
    case unknownKey
    /// The property is a fetched one, which is never set.
    case fetchedProperty
    /// The property is not a to-many relationship of the requested kind.
    case noMembers(isOrdered: Bool)
    /// The value is of another type than the one that is expected.
    case type(expected: String)
    /// An integer is outside of its attribute's range.
    case range(ClosedRange<Int64>, isTooLarge: Bool)
    /// A composite attribute has no element of this name.
    case unknownElement(String, elements: [String])
    /// A relationship leads to objects of another entity.
    case entity(expected: String)
    /// The object was deleted, or its insertion was undone.
    case departed
    /// A read on which the change depends has failed.
    case unread(String)

    /// The reason why an attribute cannot hold a value for which `Value(_:as:)` is nil.
    init(_ value: Any, attribute: Slot) {
        if let range = attribute.type.integerRange, let number = Value.number(value)?.doubleValue, !number.isNaN {
            self = .range(range, isTooLarge: number > 0)
        } else {
            self = .type(expected: ValueTypeCheck.expectation(of: attribute.type))
        }
    }

    /// The error: 1610 or 1620 for a number out of range, 1550 for everything else.
    ///
    /// - Parameters:
    ///   - value: The value that was refused.
    ///   - key: The property's name.
    ///   - layout: The object's entity.
    ///   - object: The object; nil for a row of a batch request.
    /// - Returns: The error.
    func error(_ value: Any?, key: String, layout: ObjectLayout, object: NSManagedObject?) -> NSError {
        let name = "\(layout.name).\(key)"
        let shown = Self.shown(value)
        let description: String
        let remedy: String
        var code = NSManagedObjectValidationError
        switch self {
        case .unknownKey:
            let names = layout.slots.map(\.name).sorted()
            let near = NearestName.of(key, among: names).map { " Did you mean \($0)?" } ?? ""
            description = "The entity \(layout.name) has no property \"\(key)\", which was set to \(shown).\(near)"
            remedy =
                "Use one of: \(names.joined(separator: ", ")). To pass over other keys, override "
                + "setValue(_:forUndefinedKey:); to take this one back, set it to nil."
        case .fetchedProperty:
            description = "\(name) is a fetched property and cannot be set to \(shown)"
            remedy = "Change the objects that its fetch request finds instead."
        case .noMembers(let isOrdered):
            let kind = isOrdered ? "ordered" : "unordered"
            description = "\(name) is not an \(kind) to-many relationship and cannot take \(shown)"
            remedy = "Use mutable\(isOrdered ? "" : "Ordered")SetValue(forKey:), or setValue(_:forKey:) for one value."
        case .type(let expected):
            description = "\(name) cannot hold \(shown): the model says \(expected)"
            remedy = "Give \(key) a value of that type."
        case .range(let range, let isTooLarge):
            code = isTooLarge ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError
            description =
                "\(name) is too \(isTooLarge ? "large" : "small"): \(value ?? "nil"), its type goes from "
                + "\(range.lowerBound) to \(range.upperBound)"
            remedy = "Give \(key) a number in this range, or a wider type in the model."
        case .unknownElement(let element, let elements):
            description = "\(name) has no element \"\(element)\""
            remedy = "Use the elements that the composite attribute has: \(elements.joined(separator: ", "))."
        case .entity(let expected):
            description = "\(name) leads to objects of \(expected), not to \(shown)"
            remedy = "Give \(key) an object of \(expected) or of one of its subentities."
        case .departed:
            description = "\(name) cannot lead to \(shown), which was deleted or whose insertion was undone"
            remedy = "Insert it into the context again first, or look it up with existingObject(with:)."
        case .unread(let error):
            code = NSPersistentStoreOperationError
            description = "\(name) was changed although its former value could not be read: \(error)"
            remedy = "Set \(key) again once the store can be read, or roll the context back."
        }
        return CoreDataError.validation(code, description, remedy: remedy, key: key, value: value, object: object)
    }

    /// A value as messages show it, cut if it is long.
    private static func shown(_ value: Any?) -> String {
        guard let value else { return "nil" }
        if let object = value as? NSManagedObject { return object.describeForMessages }
        let literal = value is String ? "\"\(value)\"" : "\(value)"
        return "\(literal.count > 80 ? literal.prefix(80) + "…" : literal), a value of type \(Swift.type(of: value))"
    }
}

extension AttributeType {
    /// The range of an integer attribute; nil for other types.
    var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        case .integer64: Int64.min...Int64.max
        default: nil
        }
    }
}
