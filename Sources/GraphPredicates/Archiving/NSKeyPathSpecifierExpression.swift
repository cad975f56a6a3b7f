// Apple's class name for the text of a key path in archives.
import Foundation

/// The path of an archived key path expression, stored as its argument.
final class NSKeyPathSpecifierExpression: NSExpression {
    override func encode(with coder: NSCoder) {
        coder.encode(10, forKey: "NSExpressionType")
        if case .constant(let path) = node { coder.encode(path, forKey: "NSKeyPath") }
    }

    override var classForCoder: AnyClass { NSKeyPathSpecifierExpression.self }
}
