// Apple's class name for ANYKEY in archives.
import Foundation

final class NSAnyKeyExpression: NSExpression {}
