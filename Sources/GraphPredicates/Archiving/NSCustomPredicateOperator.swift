// The class under which Apple's archives store an operator that calls a selector (NSSelectorName).
import Foundation

final class NSCustomPredicateOperator: NSPredicateOperator {}
