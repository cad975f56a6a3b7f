// Apple's class name for SUBQUERY in archives.
import Foundation

final class NSSubqueryExpression: NSExpression {}
