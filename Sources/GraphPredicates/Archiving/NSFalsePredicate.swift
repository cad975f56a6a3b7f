// Apple's class name for FALSEPREDICATE in archives.
import Foundation

/// Apple's class for the predicate that is always false.
final class NSFalsePredicate: FormatPredicate {}
