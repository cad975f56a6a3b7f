// Objects as lines of text, so that tests compare every value and relationship with literal expectations.
import Foundation
import ManagedGraph

enum ObjectText {
    /// A line for each object of a context's stores, by entity and key.
    ///
    /// Nil values and empty relationships are omitted.
    static func objects(in context: NSManagedObjectContext) throws -> [String] {
        let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
        return try entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            return try context.fetch(request).sorted { key(of: $0) < key(of: $1) }.map(line)
        }
    }

    static func line(_ object: NSManagedObject) -> String {
        let properties = object.entity.propertiesByName.values.filter {
            !$0.isTransient && !($0 is NSFetchedPropertyDescription)
        }
        let parts = properties.sorted { $0.name < $1.name }.compactMap { property in
            text(object.value(forKey: property.name), property).map { "\(property.name) \($0)" }
        }
        return "\(name(of: object)): \(parts.joined(separator: ", "))"
    }

    static func key(of object: NSManagedObject) -> Int {
        Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
    }

    static func name(of object: NSManagedObject) -> String { "\(object.entity.name ?? "") \(key(of: object))" }

    private static func text(_ value: Any?, _ property: NSPropertyDescription) -> String? {
        switch value {
        case nil: return nil
        case let object as NSManagedObject: return name(of: object)
        case let members as NSOrderedSet:
            let names = members.compactMap { ($0 as? NSManagedObject).map(name) }
            return names.isEmpty ? nil : "[\(names.joined(separator: ", "))]"
        case let members as Set<NSManagedObject>:
            return members.isEmpty ? nil : "{\(members.map(name).sorted().joined(separator: ", "))}"
        case let elements as [String: Any]:
            return "\(elements.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })"
        case let list as [Any]: return "[\(list.map { "\($0)" }.joined(separator: ", "))]"
        case let text as String: return "\"\(text)\""
        case let date as Date: return "@\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: return data.count > 100 ? "\(data.count) bytes" : "<\(data.base64EncodedString())>"
        default:
            let type = (property as? NSAttributeDescription)?.attributeType
            if type == .booleanAttributeType { return (value as? Bool).map { $0 ? "yes" : "no" } }
            return value.map { "\($0)" }
        }
    }
}
