import Foundation

/// The description of a relationship to one object or to many.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// The entity of the objects at the other end.
    open weak var destinationEntity: NSEntityDescription? {
        willSet { requireEditable(isEditable, "the destination of relationship \(name)") }
        didSet { declaredDestinationName = nil }
    }
    /// The relationship that leads back.
    ///
    /// Both sides must name each other.
    open weak var inverseRelationship: NSRelationshipDescription? {
        willSet { requireEditable(isEditable, "the inverse of relationship \(name)") }
        didSet { copiedInverseName = nil }
    }
    /// The largest number of objects: 1 makes the relationship to-one, 0, the default, sets no limit.
    open var maxCount: Int = 0 {
        willSet { requireEditable(isEditable, "maxCount of relationship \(name)") }
        didSet { declaredToMany = nil }
    }
    /// The smallest number of objects in a relationship that is not empty.
    open var minCount: Int = 0 {
        willSet { requireEditable(isEditable, "minCount of relationship \(name)") }
    }
    /// The effect on the objects at the other end when this one is deleted.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule {
        willSet { requireEditable(isEditable, "the delete rule of relationship \(name)") }
    }
    /// Whether the objects of a to-many relationship have an order.
    open var isOrdered: Bool = false {
        willSet { requireEditable(isEditable, "isOrdered of relationship \(name)") }
    }

    /// The cardinality in a model file that states it without a count.
    final var declaredToMany: Bool?
    /// The name of a destination that the model does not have.
    final var declaredDestinationName: String?
    /// The name of the inverse of the relationship that this is a copy of, for `connectCopiedInverses`.
    final var copiedInverseName: String?

    /// Whether the relationship leads to many objects.
    open var isToMany: Bool {
        declaredToMany ?? (maxCount != 1)
    }

    package final var destinationEntityName: String? {
        destinationEntity?.name ?? declaredDestinationName
    }

    /// The hash that distinguishes versions of the relationship: 32 bytes.
    open override var versionHash: Data { super.versionHash }

    override func makeEmptyCopy() -> NSPropertyDescription {
        NSRelationshipDescription()
    }

    override func copyContents(to copy: NSPropertyDescription) {
        super.copyContents(to: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        copy.destinationEntity = destinationEntity
        copy.declaredDestinationName = declaredDestinationName
        copy.inverseRelationship = inverseRelationship
        copy.copiedInverseName = inverseRelationship?.name ?? copiedInverseName
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
        copy.declaredToMany = declaredToMany
    }
}
