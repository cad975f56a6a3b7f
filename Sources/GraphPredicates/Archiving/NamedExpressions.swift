// Apple's class names for the kinds of expressions. They are used for writing only; an expression that is read becomes
// an NSExpression, whose tree has the kind. Used by ArchivedExpression.

import Foundation

final class NSConstantValueExpression: NSExpression {}
