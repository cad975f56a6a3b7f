// Expectations as functions. The compiler expands and checks `#expect(a == b)` in 20 to 60 ms and a call of a function in
// 5, and most of the tests' expectations compare two values.
import Testing

/// Expects two values to be equal, as `#expect(first == second)` does.
///
/// - Parameters:
///   - first: A value, evaluated once.
///   - second: The value it must be equal to, evaluated once.
///   - comment: A text that a failure shows.
///   - sourceLocation: The place that a failure names.
/// - Throws: The error of either value.
public func expectEqual<Value: Equatable>(
    _ first: @autoclosure () throws -> Value,
    _ second: @autoclosure () throws -> Value,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) rethrows {
    let (first, second) = (try first(), try second())
    if first == second { return }
    fail("\(String(reflecting: first)) is not equal to \(String(reflecting: second))", comment(), sourceLocation)
}

/// Expects a value to be nil, as `#expect(value == nil)` does.
///
/// - Parameters:
///   - value: A value, evaluated once.
///   - comment: A text that a failure shows.
///   - sourceLocation: The place that a failure names.
/// - Throws: The error of the value.
public func expectNil<Value>(
    _ value: @autoclosure () throws -> Value?,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) rethrows {
    guard let value = try value() else { return }
    fail("\(String(reflecting: value)) is not nil", comment(), sourceLocation)
}

private func fail(_ text: String, _ comment: Comment?, _ sourceLocation: SourceLocation) {
    let explanation = comment.map { "\n\($0.rawValue)" } ?? ""
    Issue.record("Expectation failed: \(text)\(explanation)", sourceLocation: sourceLocation)
}
