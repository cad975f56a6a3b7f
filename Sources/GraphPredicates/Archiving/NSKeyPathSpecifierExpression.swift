// Apple's class names for the kinds of expressions. Beside `NSConstantValueExpression`.
import Foundation

/// The path of an archived key path expression, stored as its argument.
final class NSKeyPathSpecifierExpression: NSExpression {
    override func encode(with coder: NSCoder) {
        coder.encode(10, forKey: "NSExpressionType")
        if case .constant(let path) = node { coder.encode(path, forKey: "NSKeyPath") }
    }

    override var classForCoder: AnyClass { NSKeyPathSpecifierExpression.self }
}
