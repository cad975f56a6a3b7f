// The sum of integers that translated statements call: SQLite's own fails beyond 64 bits.
import CSQLite
import GraphPredicates
import GraphSQL

extension Connection {
    /// Makes `SQLiteDialect.sumFunction` callable from SQL.
    ///
    /// - Throws: `SQLiteError`.
    package func registerSum() throws {
        let code = sqlite3_create_function_v2(
            try handle.requirePointer(),
            SQLiteDialect.sumFunction.description,
            1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            nil,
            nil,
            { context, _, values in addToSum(context, values?[0]) },
            { context in finishSum(context) },
            nil
        )
        guard code == SQLITE_OK else { throw handle.error(code, sql: nil) }
    }
}

/// A sum in memory of SQLite's, which begins as zeros.
private struct NumberSum {
    var hasValues: Bool
    var hasReals: Bool
    var integers: IntegerSum
    /// The sum of the real numbers, and its rounding errors.
    var reals: Double
    var errors: Double

    mutating func add(_ value: Double) {
        let sum = reals + value
        errors += abs(reals) > abs(value) ? (reals - sum) + value : (value - sum) + reals
        reals = sum
        hasReals = true
    }

    /// The sum of a mixture.
    ///
    /// The errors of infinite numbers are not numbers.
    var real: Double {
        let sum = integers.real + reals
        return errors.isFinite ? sum + errors : sum
    }
}

private func addToSum(_ context: OpaquePointer?, _ value: OpaquePointer?) {
    let size = Int32(MemoryLayout<NumberSum>.size)
    guard let memory = sqlite3_aggregate_context(context, size) else { return sqlite3_result_error_nomem(context) }
    let sum = memory.assumingMemoryBound(to: NumberSum.self)
    switch sqlite3_value_numeric_type(value) {
    case SQLITE_NULL: return
    case SQLITE_INTEGER: sum.pointee.integers.add(sqlite3_value_int64(value))
    default: sum.pointee.add(sqlite3_value_double(value))
    }
    sum.pointee.hasValues = true
}

private func finishSum(_ context: OpaquePointer?) {
    // Without rows there is no memory.
    guard let memory = sqlite3_aggregate_context(context, 0) else { return sqlite3_result_null(context) }
    let sum = memory.assumingMemoryBound(to: NumberSum.self).pointee
    if !sum.hasValues { return sqlite3_result_null(context) }
    if !sum.hasReals, let integer = sum.integers.integer { return sqlite3_result_int64(context, integer) }
    sqlite3_result_double(context, sum.real)
}
