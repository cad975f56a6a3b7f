// The functions of the predicate language that a translation may ask a dialect for. Beside `DialectFunction`.

/// A statistic over the values of many rows.
package enum DialectStatistic: CaseIterable, Sendable {
    case median, deviation
}
