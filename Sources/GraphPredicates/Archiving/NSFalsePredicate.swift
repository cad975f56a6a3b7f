// Keyed archives of predicates, as on Apple's systems; Foundation lacks them. Beside `ArchivedPredicate`.
import Foundation

/// Apple's class for the predicate that is always false.
final class NSFalsePredicate: FormatPredicate {}
