// Apple's class name for conditional expressions in archives.
import Foundation

final class NSTernaryExpression: NSExpression {}
