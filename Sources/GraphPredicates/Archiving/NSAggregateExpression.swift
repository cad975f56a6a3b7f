// Apple's class name for lists in archives.
import Foundation

final class NSAggregateExpression: NSExpression {}
