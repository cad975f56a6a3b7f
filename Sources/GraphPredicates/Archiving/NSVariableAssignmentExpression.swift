// Apple's class name for assignments to variables in archives.
import Foundation

final class NSVariableAssignmentExpression: NSExpression {}
