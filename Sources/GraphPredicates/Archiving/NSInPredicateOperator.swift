// The operators IN and CONTAINS in Apple's archives.
import Foundation

final class NSInPredicateOperator: NSPredicateOperator {}
