// Apple's class names for the kinds of expressions. Beside `NSConstantValueExpression`.
import Foundation

class NSFunctionExpression: NSExpression {}
