// SQL functions and collations implemented by closures.
import CSQLite
import Foundation
import GraphPredicates
import GraphSQL

extension Connection {
    /// Makes `name(…)` callable from SQL; registering the same name and argument count again replaces it.
    ///
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: -1 for any number.
    ///   - deterministic: Whether equal arguments give equal results, so that SQLite may reuse a result.
    ///   - isDirectOnly: Whether triggers and views of the file cannot call it.
    ///   - prepare: For a comparison of two texts with options: compiles the second into a matcher, cached for the
    ///     statement.
    ///   - body: The implementation; a thrown error fails the statement.
    /// - Throws: `SQLiteError`.
    package func registerFunction(
        _ name: String,
        argumentCount: Int32,
        deterministic: Bool = true,
        isDirectOnly: Bool = false,
        prepare: (@Sendable (_ pattern: String, _ options: SQLValue) throws -> TextMatcher)? = nil,
        _ body: @escaping ([SQLValue]) throws -> SQLValue
    ) throws {
        let pointer = try handle.requirePointer()
        let code = sqlite3_create_function_v2(
            pointer,
            name,
            argumentCount,
            SQLITE_UTF8 | (deterministic ? SQLITE_DETERMINISTIC : 0) | (isDirectOnly ? SQLITE_DIRECTONLY : 0),
            Unmanaged.passRetained(FunctionBox(body, prepare)).toOpaque(),
            { context, count, values in callFunction(context, count, values) },
            nil,
            nil,
            { box in releaseBox(box) }
        )
        guard code == SQLITE_OK else { throw handle.error(code, sql: nil) }
    }

    /// Makes `COLLATE name` order text by a closure that returns a negative number, 0 or a positive one.
    package func registerCollation(
        _ name: String,
        _ compare: @escaping (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int
    ) throws {
        let pointer = try handle.requirePointer()
        let box = Unmanaged.passRetained(CollationBox(compare))
        let code = sqlite3_create_collation_v2(
            pointer,
            name,
            SQLITE_UTF8,
            box.toOpaque(),
            { box, leftCount, left, rightCount, right in
                guard let box else { return 0 }
                let left = left?.assumingMemoryBound(to: UInt8.self)
                let right = right?.assumingMemoryBound(to: UInt8.self)
                let order = Unmanaged<CollationBox>.fromOpaque(box)._withUnsafeGuaranteedRef { box in
                    box.compare(
                        UnsafeBufferPointer(start: left, count: Int(leftCount)),
                        UnsafeBufferPointer(start: right, count: Int(rightCount))
                    )
                }
                return order < 0 ? -1 : (order > 0 ? 1 : 0)
            },
            { box in releaseBox(box) }
        )
        guard code == SQLITE_OK else {
            // Unlike a function's, a collation's box is not released by SQLite on failure.
            box.release()
            throw handle.error(code, sql: nil)
        }
    }
}

private func releaseBox(_ box: UnsafeMutableRawPointer?) {
    if let box {
        Unmanaged<AnyObject>.fromOpaque(box).release()
    }
}

/// The result of a comparison of two texts; nil if an argument is not text, or the pattern is invalid or takes too long.
private func compareTexts(
    _ context: OpaquePointer?,
    _ values: UnsafeMutablePointer<OpaquePointer?>?,
    _ box: FunctionBox
) -> Bool? {
    guard box.isTextTest, let values, sqlite3_value_type(values[0]) == SQLITE_TEXT,
        sqlite3_value_type(values[1]) == SQLITE_TEXT
    else { return nil }
    let start = sqlite3_value_text(values[0])
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[0])))
    // SQLite keeps auxiliary data for an argument that is the same for all rows.
    if let cached = sqlite3_get_auxdata(context, 1) {
        return Unmanaged<TextMatcher>.fromOpaque(cached)._withUnsafeGuaranteedRef { $0.answer(bytes) }
    }
    guard case .text(let pattern) = SQLValue(values[1]),
        let test = try? box.prepare?(pattern, SQLValue(values[2]))
    else { return nil }
    let answer = test.answer(bytes)
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(test).toOpaque()) { test in
        if let test { Unmanaged<TextMatcher>.fromOpaque(test).release() }
    }
    return answer
}

private func callFunction(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let userData = sqlite3_user_data(context) else { return }
    let box = Unmanaged<FunctionBox>.fromOpaque(userData)
    if let isTrue = box._withUnsafeGuaranteedRef({ compareTexts(context, values, $0) }) {
        return sqlite3_result_int64(context, isTrue ? 1 : 0)
    }
    let body = box.takeUnretainedValue().body
    let arguments = (0..<Int(count)).map { SQLValue(values?[$0]) }
    do {
        setResult(try body(arguments), context)
    } catch {
        sqlite3_result_error(context, "\(error)", -1)
    }
}

private func setResult(_ value: SQLValue, _ context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .typed(let value): setResult(value.plain, context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .real(let value): sqlite3_result_double(context, value)
    case .text(var value):
        value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                sqlite3_result_text64(
                    context,
                    bytes.baseAddress,
                    UInt64(bytes.count),
                    copiedBySQLite,
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    case .blob(let value):
        value.withUnsafeBytes { bytes in
            sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), copiedBySQLite)
        }
    }
}

extension SQLValue {
    /// Copies a value owned by SQLite.
    init(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            let start = sqlite3_value_text(value)
            let count = Int(sqlite3_value_bytes(value))
            self = .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = sqlite3_value_blob(value)
            let count = Int(sqlite3_value_bytes(value))
            self = .blob(bytes.map { Data(bytes: $0, count: count) } ?? Data())
        default: self = .null
        }
    }
}
