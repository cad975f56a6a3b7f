// Lets a model that equals one in use share its entities: a server that opens a store for each customer makes a model each
// time, and the compiled form of a model stays in memory. Called by CompiledModel.
import Foundation
import GraphModel
import GraphPredicates

extension NSManagedObjectModel {
    /// Whether the model can be compared completely: it has no closures, no subclasses and no values of unknown types.
    private final var isComparable: Bool {
        type(of: self) == NSManagedObjectModel.self
            && allEntities.allSatisfy { entity in
                type(of: entity) == NSEntityDescription.self && Self.isText(entity.userInfo)
                    && entity.ownProperties.allSatisfy(Self.isComparable)
            }
    }

    private static let propertyTypes: [NSPropertyDescription.Type] = [
        NSAttributeDescription.self, NSDerivedAttributeDescription.self, NSRelationshipDescription.self,
        NSFetchedPropertyDescription.self, NSCompositeAttributeDescription.self,
    ]

    private static func isComparable(_ property: NSPropertyDescription) -> Bool {
        let attribute = property as? NSAttributeDescription
        return propertyTypes.contains { $0 == type(of: property) } && isText(property.userInfo)
            && property.validationPredicates.allSatisfy { !ModelFormat.text($0).contains("<closure>") }
            && property.validationWarnings.allSatisfy { $0 is String || $0 is NSNumber }
            && (attribute.map(hasPlainDefault) ?? true)
            && ((property as? NSFetchedPropertyDescription)?.fetchRequest.map(isPlain) ?? true)
            && ((property as? NSCompositeAttributeDescription)?.elements.allSatisfy(isComparable) ?? true)
    }

    /// Whether a schema has the default value of an attribute.
    private static func hasPlainDefault(_ attribute: NSAttributeDescription) -> Bool {
        guard let value = attribute.defaultValue else { return true }
        let type = GraphModel.AttributeType(rawValue: Int(attribute.attributeType.rawValue)) ?? .undefined
        switch type {
        case .transformable, .undefined, .objectID, .composite: return false
        default: return DefaultValue(value, type: type) != nil
        }
    }

    /// Whether a schema has all that the request of a fetched property fetches, and in which order.
    private static func isPlain(_ request: NSFetchRequest<any NSFetchRequestResult>) -> Bool {
        let format = request.predicate.map(ModelFormat.text) ?? ""
        return !format.contains("<closure>") && request.fetchOffset == 0
            && (request.sortDescriptors ?? []).allSatisfy { descriptor in
                descriptor.sortKey != nil && descriptor.sortSelector == nil && !descriptor.hasComparator
            }
    }

    private static func isText(_ userInfo: [AnyHashable: Any]?) -> Bool {
        userInfo?.allSatisfy { $0.key.base is String && $0.value is String } ?? true
    }

    /// Whether objects of this model could as well be of `other`, which is in use.
    ///
    /// O(n) in the properties.
    final func canShareEntities(of other: NSManagedObjectModel) -> Bool {
        isComparable && other.isComparable && origin == other.origin
            && localizationDictionary == other.localizationDictionary && schema == other.schema
    }

    /// Replaces the entities by those of an equal model; the former ones are equal to them and stay usable.
    final func shareEntities(of other: NSManagedObjectModel) {
        let byName = other.entitiesByName
        for entity in allEntities {
            if let shared = entity.name.flatMap({ byName[$0] }) { entity.stand(for: shared) }
        }
        for index in configurationEntities.indices {
            configurationEntities[index].entities = configurationEntities[index].entities.compactMap { entity in
                entity.name.flatMap { byName[$0] }
            }
        }
        takeEntities(of: other)
    }
}
