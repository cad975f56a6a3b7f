// Regular expressions of the predicate language, which are ICU's, as PostgreSQL's advanced ones. The subset has the same
// meaning in both: letters, classes, groups, alternatives and quantifiers. The characters of a class such as `\w` are
// found with the evaluator's own implementation. Called when a pattern is bound.
import Foundation
import GraphPredicates

/// A pattern on its way from the one language to the other.
struct AdvancedExpression {
    /// The expression that matches the same whole texts; nil if it is not known.
    static func text(of pattern: String, _ options: ComparisonOptions) -> String? {
        guard pattern.utf8.count <= 1_000 else { return nil }
        var expression = AdvancedExpression(pattern, ignoresCase: options.contains(.caseInsensitive))
        guard let part = expression.alternatives(isInside: false), expression.isAtEnd else { return nil }
        return "^(?:\(part.text))$"
    }

    /// A converted part of an expression.
    private struct Part {
        var text: String
        /// Whether it matches the empty text.
        var canBeEmpty = false
    }

    private let scalars: [Unicode.Scalar]
    private let ignoresCase: Bool
    private var place = 0
    /// The product of the greatest counts of all quantifiers; databases build a state for each repetition.
    private var repetitions = 1
    private var depth = 0

    private init(_ pattern: String, ignoresCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
        self.ignoresCase = ignoresCase
    }

    private var isAtEnd: Bool { place == scalars.count }
    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        place += 1
        return true
    }

    // MARK: Structure

    private mutating func alternatives(isInside: Bool) -> Part? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 50 else { return nil }
        var branches: [Part] = []
        repeat {
            guard let branch = branch(isInside: isInside) else { return nil }
            branches.append(branch)
        } while take("|")
        return Part(
            text: branches.map(\.text).joined(separator: "|"),
            canBeEmpty: branches.contains { $0.canBeEmpty }
        )
    }

    private mutating func branch(isInside: Bool) -> Part? {
        var result = Part(text: "", canBeEmpty: true)
        var last: Unicode.Scalar?
        // The whole text is matched: it begins and ends with each outer branch.
        if !isInside { _ = take("^") }
        while let scalar = next, scalar != "|", scalar != ")" {
            if scalar == "$", !isInside, place + 1 == scalars.count || scalars[place + 1] == "|" {
                place += 1
                continue
            }
            let start = place
            guard let atom = atom(), let quantifier = quantifier() else { return nil }
            // ICU ends a repetition of the empty text in a way of its own.
            if atom.canBeEmpty, !quantifier.isEmpty, quantifier != "?" { return nil }
            let isLetter = place == start + 1 && quantifier.isEmpty
            if ignoresCase, isLetter, let last, Self.isFoldedTogether(last, scalar) { return nil }
            last = isLetter ? scalar : nil
            result.text += atom.text + quantifier
            let canBeLeftOut = ["*", "?"].contains(quantifier) || quantifier.hasPrefix("{0")
            result.canBeEmpty = result.canBeEmpty && (atom.canBeEmpty || canBeLeftOut)
        }
        return result
    }

    /// Whether two letters equal one that is folded to both, such as `ß`.
    private static func isFoldedTogether(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        ["ss", "ff", "fi", "fl", "st"].contains((String(first) + String(second)).lowercased())
    }

    private mutating func quantifier() -> String? {
        guard let scalar = next else { return "" }
        var escape: String
        switch scalar {
        case "*", "+", "?":
            place += 1
            escape = String(scalar)
        case "{":
            guard let bounds = bounds() else { return nil }
            escape = bounds
        default: return ""
        }
        // The shortest match of a part and the longest lead to the same whole texts.
        _ = take("?")
        if let scalar = next, "*+?{".unicodeScalars.contains(scalar) { return nil }
        return escape
    }

    private mutating func bounds() -> String? {
        guard let end = scalars[place...].firstIndex(of: "}") else { return nil }
        let bounds = String(String.UnicodeScalarView(scalars[(place + 1)..<end]))
        let parts = bounds.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= 2, bounds.unicodeScalars.allSatisfy({ $0 == "," || ("0"..."9").contains($0) }),
            let low = Int(parts[0]), low <= 100
        else { return nil }
        let high = parts.count == 2 ? Int(parts[1]) : low
        if parts.count == 2, !parts[1].isEmpty {
            guard let high, high >= low, high <= 100 else { return nil }
        }
        repetitions *= max(high ?? low, low, 1)
        guard repetitions <= 500 else { return nil }
        place = end + 1
        return "{\(low)\(parts.count == 2 ? ",\(high.map(String.init) ?? "")" : "")}"
    }

    // MARK: Parts

    private mutating func atom() -> Part? {
        guard let scalar = next else { return nil }
        place += 1
        switch scalar {
        case ".": return Part(text: "[^\\u000a-\\u000d\\u0085\\u2028\\u2029]")
        case "(": return group()
        case "[": return set().map { Part(text: $0) }
        case "\\": return escape().map { Part(text: $0) }
        case "*", "+", "?", "{", "}", "^", "$", "]": return nil
        default: return letter(scalar).map { Part(text: $0) }
        }
    }

    private mutating func group() -> Part? {
        if take("?"), !take(":") { return nil }
        guard var part = alternatives(isInside: true), take(")") else { return nil }
        part.text = "(?:\(part.text))"
        return part
    }

    private func letter(_ scalar: Unicode.Scalar) -> String? {
        guard let ranges = ranges(of: scalar...scalar) else { return nil }
        return "[\(ranges)]"
    }

    private mutating func escape() -> String? {
        guard let scalar = next else { return nil }
        place += 1
        if let kind = PatternClass(rawValue: String(scalar).lowercased()) {
            return "[\(kind.rawValue == String(scalar) ? "" : "^")\(kind.ranges)]"
        }
        return escaped(scalar).flatMap { letter($0) }
    }

    /// The scalar that an escape represents; nil if it represents none.
    private func escaped(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "f": return "\u{C}"
        default:
            let isWord = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
            return scalar.isASCII && !isWord ? scalar : nil
        }
    }

    private mutating func set() -> String? {
        let isNegated = take("^")
        if isNegated, ignoresCase { return nil }
        var result = ""
        while let scalar = next, scalar != "]" {
            place += 1
            // Sets of sets, and names of sets.
            if scalar == "[" || scalar == "&" || scalar == "^" || scalar == "-" || scalar == "$" || scalar == "{" {
                return nil
            }
            var low = scalar
            if scalar == "\\" {
                guard let escape = next else { return nil }
                place += 1
                if let kind = PatternClass(rawValue: String(escape)) {
                    result += kind.ranges
                    continue
                }
                guard let literal = escaped(escape) else { return nil }
                low = literal
            }
            var high = low
            if next == "-", place + 1 < scalars.count {
                place += 1
                guard let end = next, !"\\[]&-^${".unicodeScalars.contains(end), end >= low else { return nil }
                place += 1
                high = end
            }
            guard let ranges = ranges(of: low...high) else { return nil }
            result += ranges
        }
        guard take("]"), !result.isEmpty else { return nil }
        return "[\(isNegated ? "^" : "")\(result)]"
    }

    /// Scalars in the form between brackets, those of another case included; nil if the cases are not known.
    private func ranges(of scalars: ClosedRange<Unicode.Scalar>) -> String? {
        var ranges = ScalarRanges()
        ranges.append(scalars.lowerBound.value...scalars.upperBound.value)
        guard ignoresCase else { return ranges.pattern }
        guard scalars.upperBound.isASCII else { return nil }
        for value in scalars.lowerBound.value...scalars.upperBound.value {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
            ranges.append((value ^ 0x20)...(value ^ 0x20))
            // The Kelvin sign and the long s are letters of other cases, too.
            if value | 0x20 == 0x6B { ranges.append(0x212A...0x212A) }
            if value | 0x20 == 0x73 { ranges.append(0x17F...0x17F) }
        }
        return ranges.pattern
    }
}
