// Apple's class name for function calls in archives.
import Foundation

class NSFunctionExpression: NSExpression {}
