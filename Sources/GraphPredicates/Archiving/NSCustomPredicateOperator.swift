// The operator of comparisons by a method in Apple's archives.
import Foundation

final class NSCustomPredicateOperator: NSPredicateOperator {}
