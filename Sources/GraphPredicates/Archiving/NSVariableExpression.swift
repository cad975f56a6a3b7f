// Apple's class name for variables in archives.
import Foundation

final class NSVariableExpression: NSExpression {}
