import Foundation

/// One column of a fetch index.
// Sendable: written only while the model is being built; read-only once a coordinator uses it.
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
    package final var isEditable = true

    /// The property, or an expression description for a computed column.
    open internal(set) var property: NSPropertyDescription?
    /// The kind of index of the column.
    open var collationType: NSFetchIndexElementType {
        willSet { requireEditable(isEditable, "collationType of an index element") }
    }
    /// Whether the column is in ascending order.
    open var isAscending: Bool = true {
        willSet { requireEditable(isEditable, "isAscending of an index element") }
    }
    /// The index that the column is part of.
    open internal(set) weak var indexDescription: NSFetchIndexDescription?

    /// The name of the property; nil for a computed column.
    open var propertyName: String? {
        property is NSExpressionDescription ? nil : property?.name
    }

    /// Makes a column.
    ///
    /// - Parameters:
    ///   - property: The property, or an expression description.
    ///   - collationType: How it is kept.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        super.init()
    }

    /// Copies the column; the copy belongs to no index.
    open func copy(with zone: NSZone? = nil) -> Any {
        guard let property else { preconditionFailure("An index element always has a property.") }
        let copy = NSFetchIndexElementDescription(property: property, collationType: collationType)
        copy.isAscending = isAscending
        return copy
    }
}
