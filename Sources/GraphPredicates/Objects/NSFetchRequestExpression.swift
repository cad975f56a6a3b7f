// Core Data's expression for the result of a fetch, `FETCH(request, context, countOnly)` in a format. It holds only
// expressions, so that this module does not depend on Core Data; the context's value runs the fetch
// (`FetchEvaluating`).

import Foundation

/// The type of fetch expressions, 50.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

/// An expression that runs a fetch when it is evaluated.
///
/// Its value is an array of the results, or their number for a count-only request; nil if the fetch fails. See
/// [NSFetchRequestExpression](https://developer.apple.com/documentation/coredata/nsfetchrequestexpression).
///
/// ```swift
/// let adults = NSFetchRequestExpression.expression(
///     forFetch: NSExpression(forConstantValue: request),
///     context: NSExpression(forConstantValue: context),
///     countOnly: true)
/// let count = adults.expressionValue(with: nil, context: nil) as? Int
/// ```
open class NSFetchRequestExpression: NSExpression {
    private let request: ExpressionNode
    private let fetchContext: ExpressionNode
    private let countOnly: Bool

    init(_ request: ExpressionNode, _ context: ExpressionNode, _ countOnly: Bool) {
        self.request = request
        fetchContext = context
        self.countOnly = countOnly
        super.init(node: .fetch(request: request, context: context, countOnly: countOnly))
    }

    /// Reads an expression from an archive.
    ///
    /// The result is nil if the archive is damaged.
    ///
    /// - Parameter coder: A keyed unarchiver.
    public required init?(coder: NSCoder) {
        // Without a level of its own, an archive that refers to itself would be read forever.
        let read = ArchiveDepth.level(of: coder) { ArchivedExpression.node(coder) }
        guard case .fetch(let request, let context, let countOnly)? = read?.result else { return nil }
        self.request = request
        fetchContext = context
        self.countOnly = countOnly
        super.init(coder: coder)
    }

    /// Makes an expression for a fetch.
    ///
    /// - Parameters:
    ///   - fetch: An expression that evaluates to an `NSFetchRequest`.
    ///   - context: An expression for an `NSManagedObjectContext`; evaluate the fetch expression on that context's
    ///     queue.
    ///   - countOnly: Whether the fetch only counts the results.
    /// - Returns: An `NSFetchRequestExpression`.
    open class func expression(
        forFetch fetch: NSExpression,
        context: NSExpression,
        countOnly: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(fetch.node, context.node, countOnly)
    }

    /// An expression that evaluates to the request.
    open var requestExpression: NSExpression { NSExpression.make(request) }

    /// An expression that evaluates to the context.
    open var contextExpression: NSExpression { NSExpression.make(fetchContext) }

    /// Whether the fetch only counts the results.
    open var isCountOnlyRequest: Bool { countOnly }
}
