// Decodes parts of predicates with a coder other than NSKeyedUnarchiver. The readers of compiled models use it: they
// have the class name and their own coder.

import Foundation

extension PredicateArchive {
    /// Decodes a predicate, an expression or an operator of an archive.
    ///
    /// - Parameters:
    ///   - name: Apple's class name.
    ///   - coder: A coder with its entries.
    /// - Returns: The object; nil if the name is not one of these classes or the entries are damaged.
    package static func part(named name: String, coder: NSCoder) -> Any? {
        switch name {
        case "NSComparisonPredicate", "NSCompoundPredicate": ArchivedPredicate.node(coder).map(NSPredicate.make)
        case "NSTruePredicate": NSPredicate.make(.constant(true))
        case "NSFalsePredicate": NSPredicate.make(.constant(false))
        case _ where expressionNames.contains(name): NSExpression(coder: coder)
        case _ where NSPredicateOperator.names.contains(name): NSPredicateOperator(coder: coder)
        default: nil
        }
    }
}
