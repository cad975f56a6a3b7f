// Predicates made from subclasses of Core Data's classes, as libraries of typed queries make them.
import CoreData

/// A comparison of a book's value.
public final class BookComparison: NSComparisonPredicate {}

/// Conditions of a book.
public final class BookCondition: NSCompoundPredicate {
    /// The books of an author with more pages than a number.
    public static func longer(than pages: Int, by author: String) -> BookCondition {
        BookCondition(
            type: .and,
            subpredicates: [
                BookComparison(
                    leftExpression: NSExpression(forKeyPath: "pages"),
                    rightExpression: NSExpression(forConstantValue: pages),
                    modifier: .direct,
                    type: .greaterThan
                ),
                NSPredicate(format: "author.name == %@", author),
            ]
        )
    }
}
