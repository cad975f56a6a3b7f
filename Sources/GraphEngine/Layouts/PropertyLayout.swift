// One property of an entity, as used by engines. Built with the entity's layout.
import GraphModel

/// One property of an entity.
package struct PropertyLayout: Sendable {
    package enum Kind: Sendable { case attribute, toOne, toMany, fetched }

    /// The name; a path for an element of a composite attribute.
    package var name: String
    package var kind: Kind
    package var type: AttributeType
    /// Whether rows contain the property.
    package var isStored: Bool
    package var isTransient: Bool
    package var allowsExternalStorage: Bool
    /// Index of the destination entity in the model.
    package var destination: Int?
    /// The inverse's slot in the destination, -1 if there is none.
    package var inverseSlot: Int
    package var deleteRule: DeleteRule
    /// The parsed derivation of a derived attribute.
    package var derivation: Derivation?
    /// The text of the derivation; nil for a property that is not derived.
    package var derivationFormat: String?
    /// Whether the entity itself declares the property, rather than inheriting it.
    package var isOwn: Bool

    package init(
        name: String,
        kind: Kind,
        type: AttributeType = .undefined,
        isStored: Bool = true,
        isTransient: Bool = false,
        allowsExternalStorage: Bool = false,
        destination: Int? = nil,
        inverseSlot: Int = -1,
        deleteRule: DeleteRule = .noAction,
        derivation: Derivation? = nil,
        derivationFormat: String? = nil,
        isOwn: Bool = true
    ) {
        self.name = name
        self.kind = kind
        self.type = type
        self.isStored = isStored
        self.isTransient = isTransient
        self.allowsExternalStorage = allowsExternalStorage
        self.destination = destination
        self.inverseSlot = inverseSlot
        self.deleteRule = deleteRule
        self.derivation = derivation
        self.derivationFormat = derivationFormat
        self.isOwn = isOwn
    }
}
