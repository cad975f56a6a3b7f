// The operators that compare by order in Apple's archives.
import Foundation

final class NSComparisonPredicateOperator: NSPredicateOperator {}
