// Apple's class name for key paths in archives.
import Foundation

final class NSKeyPathExpression: NSFunctionExpression {}
