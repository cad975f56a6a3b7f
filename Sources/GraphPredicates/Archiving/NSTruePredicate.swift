// Apple's class name for TRUEPREDICATE in archives.
import Foundation

/// Apple's class for the predicate that is always true.
final class NSTruePredicate: FormatPredicate {}
