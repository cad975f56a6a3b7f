import Foundation
import GraphPredicates

/// The description of a computed column of a fetch with dictionary results.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
    /// The expression to compute.
    open var expression: GraphPredicates.NSExpression? {
        willSet { requireEditable(isEditable, "the expression of \(name)") }
    }
    /// The type of the result.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType {
        willSet { requireEditable(isEditable, "the result type of \(name)") }
    }

    /// The type of the result, as a structure.
    open var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType.rawValue) }
        set {
            guard let type = NSAttributeType(rawValue: newValue.rawValue) else {
                preconditionFailure("Expression \(name): there is no attribute type \(newValue.rawValue).")
            }
            expressionResultType = type
        }
    }

    override func makeEmptyCopy() -> NSPropertyDescription {
        NSExpressionDescription()
    }

    override func copyContents(to copy: NSPropertyDescription) {
        super.copyContents(to: copy)
        guard let copy = copy as? NSExpressionDescription else { return }
        copy.expression = expression
        copy.expressionResultType = expressionResultType
    }
}
