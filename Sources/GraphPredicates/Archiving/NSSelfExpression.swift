// Apple's class name for SELF in archives.
import Foundation

final class NSSelfExpression: NSExpression {}
