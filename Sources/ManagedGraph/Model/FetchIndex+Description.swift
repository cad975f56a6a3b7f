// Conversion between a fetch index as a value and its description.
import Foundation
import GraphModel
import GraphPredicates

extension FetchIndex {
    /// An index as a value.
    init(_ index: NSFetchIndexDescription) {
        self.init(
            name: index.name,
            elements: index.elements.map { element in
                FetchIndexElement(
                    propertyName: element.propertyName,
                    expressionFormat: (element.property as? NSExpressionDescription)?.expression?.description,
                    isRTree: element.collationType == .rTree,
                    isAscending: element.isAscending
                )
            },
            partialPredicateFormat: index.partialIndexPredicate.map(ModelFormat.text)
        )
    }

    /// The value as a description, its elements bound to an entity's properties.
    ///
    /// - Throws: `ModelDefect` for a property that the entity lacks or an expression that cannot be read.
    func makeDescription(in entity: NSEntityDescription) throws -> NSFetchIndexDescription {
        let properties = entity.propertiesByName
        let elements = try self.elements.map { element in
            let property: NSPropertyDescription
            if let name = element.propertyName {
                guard let match = properties[name] else {
                    throw ModelDefect(
                        entity: entity.name,
                        property: name,
                        reason: "index \(self.name) names a property that the entity does not have"
                    )
                }
                property = match
            } else {
                let computed = NSExpressionDescription()
                computed.expression = try element.expressionFormat.map(ModelFormat.expression)
                property = computed
            }
            let description = NSFetchIndexElementDescription(
                property: property,
                collationType: element.isRTree ? .rTree : .binary
            )
            description.isAscending = element.isAscending
            return description
        }
        let description = NSFetchIndexDescription(name: name, elements: elements)
        description.partialIndexPredicate = try partialPredicateFormat.map(ModelFormat.predicate)
        return description
    }
}
