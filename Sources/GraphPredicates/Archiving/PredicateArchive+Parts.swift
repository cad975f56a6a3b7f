// Parts of predicates from a coder that is no NSKeyedUnarchiver: the readers of compiled models know the class's name and have
// a coder of their own.

import Foundation

extension PredicateArchive {
    /// A predicate, an expression or an operator of an archive.
    ///
    /// - Parameters:
    ///   - name: Apple's name of its class.
    ///   - coder: A coder with its entries.
    /// - Returns: The object; nil where the name is none of these or the coder holds no such thing.
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
