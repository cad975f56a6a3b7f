// One property of a compiled entity. Built by ObjectLayout; read wherever a value is read, checked or stored.
import Foundation
import GraphEngine
import GraphModel

/// One property of a compiled entity.
package final class Slot: @unchecked Sendable {
    package typealias Kind = PropertyLayout.Kind

    package let property: NSPropertyDescription
    package let name: String
    package let kind: Kind
    package let type: AttributeType
    package let isTransient: Bool
    /// Whether the property has columns in the store.
    package let isStored: Bool
    package let allowsExternalStorage: Bool
    package let isOrdered: Bool
    /// Index of the destination entity in the model.
    package let destination: Int?
    /// Whether a row holds the destination's entity number beside its key.
    package let storesDestinationEntity: Bool
    package let inverseName: String?
    let deleteRule: NSDeleteRule
    /// Whether the entity itself declares the property, and none above it.
    let isOwn: Bool
    let transformerName: String?
    let initialValue: Value
    /// The expression of a derived attribute.
    package let derivation: Derivation?
    /// The parts of a composite attribute, by their own names; set once while the model is compiled.
    package var elements: [(name: String, slot: Int)] = []
    /// The composite attribute that this is an element of, -1 if it is none; set once while the model is compiled.
    @exclusivity(unchecked) package var composite = -1
    /// The inverse's slot in the destination's layout, -1 if there is none; set once while the model is compiled.
    @exclusivity(unchecked) package var inverseSlot = -1

    /// Whether the attribute takes objects of any class, which its transformer gets as they are.
    var holdsAnything: Bool { type == .transformable || type == .undefined }

    /// Compiles a property; `path` names the composite attribute before an element.
    init(
        property: NSPropertyDescription,
        path: String = "",
        isTransient: Bool = false,
        of entity: NSEntityDescription,
        indexOf: (NSEntityDescription) -> Int?
    ) {
        self.property = property
        isOwn = property.owner === entity
        name = path + property.name
        self.isTransient = isTransient || property.isTransient
        derivation = (property as? NSDerivedAttributeDescription)?.derivationFormat.flatMap(Derivation.init)
        if let attribute = property as? NSAttributeDescription {
            kind = .attribute
            type = AttributeType(rawValue: Int(attribute.attributeType.rawValue)) ?? .undefined
            allowsExternalStorage = attribute.allowsExternalBinaryDataStorage
            transformerName = attribute.valueTransformerName
            isStored = !self.isTransient && type != .undefined && type != .composite
            isOrdered = false
            destination = nil
            storesDestinationEntity = false
            inverseName = nil
            deleteRule = .noActionDeleteRule
            let attributeType = type
            let initial = attribute.defaultValue.map { Value($0, as: attributeType) ?? .null } ?? .null
            if initial.isNull, let value = attribute.defaultValue, !(value is NSNull) {
                Diagnosis.log.error(
                    """
                    The default value \(value) of \(property.entity.name ?? "").\(path + property.name) is not \
                    \(attributeType.sentenceName): new objects start with nil. Correct it in the model.
                    """
                )
            }
            initialValue = initial
        } else if let relationship = property as? NSRelationshipDescription {
            kind = relationship.isToMany ? .toMany : .toOne
            type = .undefined
            allowsExternalStorage = false
            transformerName = nil
            isStored = !property.isTransient
            isOrdered = relationship.isOrdered
            destination = relationship.destinationEntity.flatMap(indexOf)
            storesDestinationEntity = relationship.destinationEntity?.hasSeveralEntities ?? false
            inverseName = relationship.inverseRelationship?.name
            deleteRule = relationship.deleteRule
            initialValue = .null
        } else {
            kind = .fetched
            type = .undefined
            allowsExternalStorage = false
            transformerName = nil
            isStored = false
            isOrdered = false
            destination = nil
            storesDestinationEntity = false
            inverseName = nil
            deleteRule = .noActionDeleteRule
            initialValue = .null
        }
    }
}

extension Slot {
    /// The layout of a relationship's destination entity, in the model of `layout`.
    func destinationLayout(_ layout: ObjectLayout) -> ObjectLayout {
        destination.map { layout.model.layouts[$0] } ?? layout
    }

    /// Whether a boxed value in this slot is one that the attribute cannot hold.
    var refusesAny: Bool {
        guard kind == .attribute else { return false }
        switch type {
        case .transformable, .undefined, .objectID, .composite: return false
        default: return true
        }
    }
}
