// The operator BETWEEN in Apple's archives.
import Foundation

final class NSBetweenPredicateOperator: NSPredicateOperator {}
