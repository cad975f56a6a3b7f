// The operators BEGINSWITH and ENDSWITH in Apple's archives.
import Foundation

final class NSSubstringPredicateOperator: NSPredicateOperator {}
