// The Swift types of generated properties, as chosen by Xcode. Used by ClassWriter and XcodeFiles.
import GraphModel

/// Chooses the type of a property.
struct PropertyTypes {
    let classes: EntityClasses
    /// Whether the target declares a type of this name, so that another module's type of the name needs its module.
    let isDeclared: (String) -> Bool

    /// The type of the accessor of a class's property, as source text.
    func text(of property: Property, in item: EntityClass) -> String {
        switch property {
        case .attribute(let attribute): text(of: attribute)
        case .relationship(let relationship):
            relationship.isToMany
                ? optional(relationship.isOrdered ? "NSOrderedSet" : "NSSet", in: "Foundation")
                : "\(className(ofEntity: relationship.destinationEntityName, from: item))?"
        case .fetched(let fetched):
            "[\(className(ofEntity: fetched.request.entityName, from: item))]?"
        }
    }

    /// The class of the objects of an entity that a property of a class leads to, as source text.
    func className(ofEntity entity: String, from item: EntityClass) -> String {
        let name = classes.className(ofEntity: entity, from: item)
        return name == "NSManagedObject" ? qualified(name, in: "ManagedGraph") : SwiftName.declared(name)
    }

    private func text(of attribute: Attribute) -> String {
        switch attribute.type {
        case .integer16: scalar(attribute, "Int16")
        case .integer32: scalar(attribute, "Int32")
        case .integer64: scalar(attribute, "Int64")
        case .double: scalar(attribute, "Double")
        case .float: scalar(attribute, "Float")
        case .boolean: scalar(attribute, "Bool")
        case .date:
            attribute.usesScalarValue ? qualified("TimeInterval", in: "Foundation") : optional("Date", in: "Foundation")
        case .decimal: optional("NSDecimalNumber", in: "Foundation")
        case .string: optional("String", in: "Swift")
        case .binary: optional("Data", in: "Foundation")
        case .uuid: optional("UUID", in: "Foundation")
        case .uri: optional("URL", in: "Foundation")
        case .transformable: custom(attribute.customClassName)
        case .objectID: optional("NSManagedObjectID", in: "ManagedGraph")
        case .composite: "[\(qualified("String", in: "Swift")): Any]?"
        case .undefined: optional("NSObject", in: "Foundation")
        }
    }

    /// Whether a property's type fits managed objects too, so that the compiler would choose the reader of
    /// relationships.
    static func holdsOtherTypes(_ property: Property) -> Bool {
        guard case .attribute(let attribute) = property else { return false }
        switch attribute.type {
        case .undefined: return true
        case .transformable:
            let valueClass = SwiftName.valueClass(attribute.customClassName) ?? ""
            let name = valueClass.split(separator: ".").last?.filter { $0 != "?" } ?? ""
            return name.isEmpty || ["NSObject", "Any", "AnyObject", "AnyHashable", "NSObjectProtocol"].contains(name)
        default: return false
        }
    }

    private func scalar(_ attribute: Attribute, _ name: String) -> String {
        attribute.usesScalarValue ? qualified(name, in: "Swift") : optional("NSNumber", in: "Foundation")
    }

    private func custom(_ name: String?) -> String {
        guard let name = SwiftName.valueClass(name) else { return optional("NSObject", in: "Foundation") }
        return name.hasSuffix("?") ? name : "\(name)?"
    }

    private func optional(_ name: String, in module: String) -> String {
        "\(qualified(name, in: module))?"
    }

    func qualified(_ name: String, in module: String) -> String {
        isDeclared(name) ? "\(module).\(name)" : name
    }
}
