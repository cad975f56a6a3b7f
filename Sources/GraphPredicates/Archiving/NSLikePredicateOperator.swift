// The operator of an archived comparison, which is a separate object in Apple's archives: one class for each family of
// operators, each with its own key for the options. Beside `NSPredicateOperator`.
import Foundation

final class NSLikePredicateOperator: NSPredicateOperator {}
