import CoreData
import Foundation

/// A handwritten class with generated properties ("Category/Extension").
public final class Book: NSManagedObject {
    /// `NSExpression` is unambiguous, even with Foundation imported.
    static var pages: NSExpression { NSExpression(forKeyPath: "pages") }

    /// Whether the book has more than a hundred pages.
    public var isLong: Bool { pages > 100 }
}

extension Author {
    /// An extension of a generated class.
    public var initials: String {
        (name ?? "").split(separator: " ").compactMap { $0.first.map(String.init) }.joined()
    }
}
