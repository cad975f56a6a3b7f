// The operator LIKE in Apple's archives.
import Foundation

final class NSLikePredicateOperator: NSPredicateOperator {}
