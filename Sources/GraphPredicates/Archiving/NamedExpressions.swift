// Apple's class names for the kinds of expressions. They are used for writing only; an expression that is read becomes
// an NSExpression, whose tree has the kind. Used by ArchivedExpression.

import Foundation

final class NSConstantValueExpression: NSExpression {}
final class NSSelfExpression: NSExpression {}
final class NSVariableExpression: NSExpression {}
class NSFunctionExpression: NSExpression {}
final class NSKeyPathExpression: NSFunctionExpression {}
final class NSAggregateExpression: NSExpression {}
final class NSSubqueryExpression: NSExpression {}
final class NSSetExpression: NSExpression {}
final class NSTernaryExpression: NSExpression {}
final class NSAnyKeyExpression: NSExpression {}
final class NSSymbolicExpression: NSExpression {}
final class NSVariableAssignmentExpression: NSExpression {}

/// The path of an archived key path expression, stored as its argument.
final class NSKeyPathSpecifierExpression: NSExpression {
    override func encode(with coder: NSCoder) {
        coder.encode(10, forKey: "NSExpressionType")
        if case .constant(let path) = node { coder.encode(path, forKey: "NSKeyPath") }
    }

    override var classForCoder: AnyClass { NSKeyPathSpecifierExpression.self }
}
