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
            if let number = Double(trimmed) { return .double(number) }
            return replaced(.double(Double(Self.number(at: trimmed)) ?? 0), trimmed, "a number")
        case .decimal:
            if let number = Self.decimal(trimmed) { return .decimal(number) }
            return replaced(.decimal(Self.decimal(Self.number(at: trimmed)) ?? 0), trimmed, "a decimal number")
        case .boolean: return readBoolean(trimmed)
        case .uuid: return UUID(uuidString: trimmed).map { .uuid($0) } ?? replaced(nil, trimmed, "a UUID")
        case .uri: return URL(string: trimmed).map { .url($0) } ?? replaced(nil, trimmed, "a URL")
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
        let exact = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
        if let exact, range.contains(exact) { return .integer(exact) }
        let digits = Self.number(at: text).prefix { !".eE".contains($0) }
        // A column of the attribute's width keeps the lower bits.
        let number = exact ?? Int64(digits) ?? (digits.isEmpty ? 0 : digits.hasPrefix("-") ? .min : .max)
        let kept: Int64 =
            switch range.upperBound {
            case Int64(Int16.max): Int64(Int16(truncatingIfNeeded: number))
            case Int64(Int32.max): Int64(Int32(truncatingIfNeeded: number))
            default: number
            }
        return replaced(.integer(kept), text, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    /// A flag, or a number, which an attribute that was one before leaves behind.
    private mutating func readBoolean(_ text: String) -> DefaultValue? {
        if let flag = Self.flag(text) { return .boolean(flag) }
        let digits = Self.number(at: text)
        let value = DefaultValue.boolean(digits.contains { ("1"..."9").contains($0) })
        return replaced(value, level: Double(text) == nil ? .warning : .note, text, "YES or NO")
    }

    /// The number that a text begins with, as Foundation's `doubleValue` and `integerValue` see it; empty for none.
    private static func number(at text: String) -> String {
        var result = ""
        var hasPoint = false
        for character in text {
            let isSign = result.isEmpty && "+-".contains(character)
            guard isSign || character.isASCII && character.isNumber || character == "." && !hasPoint else { break }
            if character == "." { hasPoint = true }
            if character != "+" { result.append(character) }
        }
        return result
    }

    /// A value in the place of a text that is none, as Apple's compiler has it: 0 or false for numbers and flags, else none.
    private mutating func replaced(
        _ value: DefaultValue?,
        level: ModelProblem.Level? = nil,
        _ text: String,
        _ expected: String
    ) -> DefaultValue? {
        let result =
            switch value {
            case .integer(let number)?: "counts as \(number)"
            case .double(let number)?: "counts as \(number)"
            case .decimal(let number)?: "counts as \(number)"
            case .boolean(let flag)?: "counts as \(flag ? "YES" : "NO")"
            default: "does not count"
            }
        report(
            .invalidValue,
            level: level,
            "its default value \"\(text)\" is not \(expected) and \(result). Correct it, or take it away."
        )
        return value
    }
}
