// Apple's class name for operations on sets in archives.
import Foundation

final class NSSetExpression: NSExpression {}
