// The protocols that make objects readable for predicates and sort descriptors. Beside `KeyValueReadable`.

/// The context of a `FETCH(request, context, countOnly)` expression.
package protocol FetchEvaluating {
    func evaluateFetch(_ request: Any, countOnly: Bool) throws -> Any?
}
