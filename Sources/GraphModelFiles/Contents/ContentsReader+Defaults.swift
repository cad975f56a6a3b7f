// Default values. Called by ContentsReader.readAttribute.
import Foundation
import GraphModel

extension ContentsReader {
    /// The typed default of an attribute, nil where it has none.
    mutating func readDefaultValue(_ node: ModelNode, type: AttributeType) -> DefaultValue? {
        if type == .date {
            // Xcode shows defaultValueString for dates, and may leave one there from an earlier type; the value is
            // the interval alone.
            return interval(node, "defaultDateTimeInterval")
                .map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        }
        guard let text = node["defaultValueString"] else { return nil }
        if type == .string { return .string(text) }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard !trimmed.isEmpty else { return nil }
        switch type {
        case .integer16: return readInteger(trimmed, in: Int64(Int16.min)...Int64(Int16.max))
        case .integer32: return readInteger(trimmed, in: Int64(Int32.min)...Int64(Int32.max))
        case .integer64: return readInteger(trimmed, in: Int64.min...Int64.max)
        case .double, .float:
            return checked(Double(trimmed).map { .double($0) }, trimmed, "a number")
        case .decimal:
            return checked(Self.decimal(trimmed).map { .decimal($0) }, trimmed, "a decimal number")
        case .boolean:
            return checked(Self.flag(trimmed).map { .boolean($0) }, trimmed, "YES or NO")
        case .uuid:
            return checked(UUID(uuidString: trimmed).map { .uuid($0) }, trimmed, "a UUID")
        case .uri:
            return checked(URL(string: trimmed).map { .url($0) }, trimmed, "a URL")
        case .undefined, .string, .date, .binary, .transformable, .objectID, .composite:
            // The editor offers no default for these; what stands there was left by an earlier type.
            return nil
        }
    }

    /// A decimal number in the spelling of the C locale, and nothing behind it.
    static func decimal(_ text: String) -> Decimal? {
        guard let approximate = Double(text), approximate.isFinite else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// A whole number; `0.0` is one too, Xcode leaves it behind when an attribute was a floating-point number before.
    private mutating func readInteger(_ text: String, in range: ClosedRange<Int64>) -> DefaultValue? {
        let value = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
        return checked(
            value.flatMap { range.contains($0) ? .integer($0) : nil },
            text,
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        )
    }

    private mutating func checked(_ value: DefaultValue?, _ text: String, _ expected: String) -> DefaultValue? {
        if value == nil {
            report(.invalidValue, "its default value \"\(text)\" is not \(expected). Correct it, or take it away.")
        }
        return value
    }
}
