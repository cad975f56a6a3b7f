// Apple's class names for the kinds of expressions. Beside `NSConstantValueExpression`.
import Foundation

final class NSAggregateExpression: NSExpression {}
