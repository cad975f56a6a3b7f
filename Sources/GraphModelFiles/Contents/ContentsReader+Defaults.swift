// Reads default values. Called by ContentsReader.readAttribute.
import Foundation
import GraphModel

extension ContentsReader {
    /// The typed default value of an attribute, or nil if it has none.
    mutating func readDefaultValue(_ node: ModelNode, type: AttributeType) -> DefaultValue? {
        if type == .date {
            // Only the interval counts: Xcode displays defaultValueString for dates, but may leave one there from an
            // earlier type.
            return interval(node, "defaultDateTimeInterval")
                .map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        }
        guard let text = node["defaultValueString"] else { return nil }
        if type == .string { return .string(text) }
        let trimmed = text.withoutOuterSpaces
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
            // The editor offers no default for these types; any value is left from an earlier type.
            return nil
        }
    }

    /// Parses a decimal number in the C locale, with nothing after it.
    static func decimal(_ literal: String) -> Decimal? {
        guard let approximate = Double(literal), approximate.isFinite else { return nil }
        return Decimal(string: literal, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Parses a whole number; Xcode may leave `0.0` from an earlier floating-point type.
    private mutating func readInteger(_ literal: String, in range: ClosedRange<Int64>) -> DefaultValue? {
        let exact = Int64(literal) ?? Double(literal).flatMap { Int64(exactly: $0) }
        if let exact, range.contains(exact) { return .integer(exact) }
        let digits = Self.number(at: literal).prefix { !".eE".contains($0) }
        // A column of the attribute's width keeps only the low bits.
        let number = exact ?? Int64(digits) ?? (digits.isEmpty ? 0 : digits.hasPrefix("-") ? .min : .max)
        let clamped: Int64 =
            switch range.upperBound {
            case Int64(Int16.max): Int64(Int16(truncatingIfNeeded: number))
            case Int64(Int32.max): Int64(Int32(truncatingIfNeeded: number))
            default: number
            }
        return replaced(.integer(clamped), literal, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    /// Parses a flag, or a number left from an earlier numeric type.
    private mutating func readBoolean(_ literal: String) -> DefaultValue? {
        if let flag = Self.flag(literal) { return .boolean(flag) }
        let digits = Self.number(at: literal)
        let value = DefaultValue.boolean(digits.contains { ("1"..."9").contains($0) })
        return replaced(value, level: Double(literal) == nil ? .warning : .note, literal, "YES or NO")
    }

    /// The number at the start of a text, as `doubleValue` and `integerValue` of Foundation parse it; empty if none.
    private static func number(at literal: String) -> String {
        var result = ""
        var hasPoint = false
        for character in literal {
            let isSign = result.isEmpty && "+-".contains(character)
            guard isSign || character.isASCII && character.isNumber || character == "." && !hasPoint else { break }
            if character == "." { hasPoint = true }
            if character != "+" { result.append(character) }
        }
        return result
    }

    /// Replaces an invalid text as Apple's compiler does: with 0 or false for numbers and flags, else with nothing.
    private mutating func replaced(
        _ value: DefaultValue?,
        level: ModelProblem.Level? = nil,
        _ literal: String,
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
            "its default value \"\(literal)\" is not \(expected) and \(result). Correct it, or take it away."
        )
        return value
    }
}
