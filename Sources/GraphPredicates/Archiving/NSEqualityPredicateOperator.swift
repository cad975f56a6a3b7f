// The operators == and != in Apple's archives.
import Foundation

final class NSEqualityPredicateOperator: NSPredicateOperator {}
