import Foundation

/// The description of an attribute that groups other attributes.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// The attributes of the group; they may be composite themselves.
    open var elements: [NSAttributeDescription] = [] {
        willSet { requireEditable(isEditable, "the elements of attribute \(name)") }
    }

    /// The name of the composite type in the model's file.
    final var typeName: String?

    /// Makes a composite attribute without elements.
    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    override func makeEmptyCopy() -> NSPropertyDescription {
        NSCompositeAttributeDescription()
    }

    override func copyContents(to copy: NSPropertyDescription) {
        super.copyContents(to: copy)
        guard let copy = copy as? NSCompositeAttributeDescription else { return }
        copy.typeName = typeName
        copy.elements = elements.compactMap { $0.copy(with: nil) as? NSAttributeDescription }
    }

    override func freeze() {
        super.freeze()
        for element in elements { element.freeze() }
    }
}
