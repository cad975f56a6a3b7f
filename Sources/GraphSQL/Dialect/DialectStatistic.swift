// The statistics of the predicate language that a translation may ask a dialect for.

/// A statistic over the values of many rows.
package enum DialectStatistic: CaseIterable, Sendable {
    case median, deviation
}
