import Foundation
import GraphPredicates

/// The description of an attribute that the store computes from other values when it saves.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// The expression that computes the value: a key path, `canonical:(name)`, `tasks.@count`, `now()`.
    open var derivationExpression: GraphPredicates.NSExpression? {
        willSet { requireEditable(isEditable, "the derivation of attribute \(name)") }
        didSet { declaredFormat = nil }
    }

    /// Makes a derived attribute without a derivation.
    public override init() {
        super.init()
        readOnlyMark = true
    }

    /// The format as a model file gave it; version hashes are made from it.
    private var declaredFormat: String?

    /// The derivation as text.
    package final var derivationFormat: String? {
        declaredFormat ?? derivationExpression?.description
    }

    final func setDerivation(_ expression: GraphPredicates.NSExpression?, format: String?) {
        derivationExpression = expression
        declaredFormat = format
    }

    override func makeEmptyCopy() -> NSPropertyDescription {
        NSDerivedAttributeDescription()
    }

    override func copyContents(to copy: NSPropertyDescription) {
        super.copyContents(to: copy)
        (copy as? NSDerivedAttributeDescription)?.setDerivation(derivationExpression, format: declaredFormat)
    }
}
