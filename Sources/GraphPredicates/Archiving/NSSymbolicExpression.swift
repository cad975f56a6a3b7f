// Apple's class name for FIRST, LAST and SIZE in archives.
import Foundation

final class NSSymbolicExpression: NSExpression {}
