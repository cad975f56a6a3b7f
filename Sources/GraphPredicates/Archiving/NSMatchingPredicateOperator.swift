// The operator MATCHES in Apple's archives.
import Foundation

final class NSMatchingPredicateOperator: NSPredicateOperator {}
