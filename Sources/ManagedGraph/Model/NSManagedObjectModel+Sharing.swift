// Lets a model that equals one in use share its entities: a server that opens a store for each customer makes a model each
// time, and the compiled form of a model stays in memory. Called by CompiledModel.
import Foundation

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
            && (attribute?.defaultValue == nil || attribute?.attributeType != .transformableAttributeType)
            && ((property as? NSCompositeAttributeDescription)?.elements.allSatisfy(isComparable) ?? true)
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
