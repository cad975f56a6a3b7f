// The Swift and Foundation types that an attribute type accepts. Called by PropertyValidator; converts nothing.
import Foundation
import GraphModel

/// Checks the type of a value against the type of its attribute.
enum ValueTypeCheck {
    /// Whether an attribute of this type can hold the value.
    static func accepts(_ value: Any, as type: GraphModel.AttributeType) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean:
            value is NSNumber || value as? NSNumber != nil
        case .decimal: value is Decimal || value as? NSNumber != nil
        case .string: value as? String != nil
        case .date: value as? Date != nil
        case .binary: value is NSData
        case .uuid: value as? UUID != nil
        case .uri: value as? URL != nil
        case .composite: value as? [String: Any] != nil
        case .objectID: value is NSManagedObjectID
        case .undefined, .transformable: true
        }
    }

    /// The accepted types, as shown in messages.
    static func expectation(of type: GraphModel.AttributeType) -> String {
        switch type {
        case .integer16: "Integer 16 (NSNumber or Int16)"
        case .integer32: "Integer 32 (NSNumber or Int32)"
        case .integer64: "Integer 64 (NSNumber or Int64)"
        case .double: "Double (NSNumber or Double)"
        case .float: "Float (NSNumber or Float)"
        case .boolean: "Boolean (NSNumber or Bool)"
        case .decimal: "Decimal (NSDecimalNumber)"
        case .string: "String"
        case .date: "Date"
        case .binary: "Binary Data (Data)"
        case .uuid: "UUID"
        case .uri: "URI (URL)"
        case .composite: "Composite ([String: Any])"
        case .objectID: "Object ID (NSManagedObjectID)"
        case .undefined: "Undefined"
        case .transformable: "Transformable"
        }
    }
}
