// The protocol of contexts, which evaluate FETCH expressions.

/// The context of a `FETCH(request, context, countOnly)` expression.
package protocol FetchEvaluating {
    func evaluateFetch(_ request: Any, countOnly: Bool) throws -> Any?
}
