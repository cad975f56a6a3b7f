// The aggregates that a translation asks a dialect for. The evaluator defines the result of each.

/// An aggregate over the values of many rows, which leaves NULL out; NULL if there are no others.
package enum DialectAggregate: CaseIterable, Sendable {
    case sum, average, minimum, maximum
}
