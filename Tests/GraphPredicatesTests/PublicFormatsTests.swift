// Tests lists of formats, ours and those found in public code: all can be parsed, printed and parsed again to an equal
// tree, except those listed here with the reason why they are invalid. Ours have the printed form as well.

import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Lists of formats")
struct PublicFormatsTests {
    /// Invalid formats, with the reasons.
    static let invalid: [String: String] = [
        "1": "a number alone is a value, not a predicate",
        "%K == *": "the right side is missing; * is not a value",
        "SELF like[c] %@?%@": "? outside quotes is not an ; the wildcard belongs into the text",
    ]

    /// Arguments of fitting kinds: strings for %K, lists for IN and BETWEEN, numbers for most others.
    static func arguments(for format: String) -> [Any?] {
        var result: [Any?] = []
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            let before = rest[..<percent].uppercased()
            rest = rest[rest.index(after: percent)...]
            let conversion = rest.first { $0.isLetter && !"hlqLzjt".contains($0) || $0 == "@" || $0 == "%" }
            switch conversion {
            case "K"?: result.append("key\(result.count)")
            case "@"? where before.hasSuffix("BETWEEN "): result.append([1, 2])
            case "@"? where before.hasSuffix(" IN ") || before.hasSuffix(" IN ("): result.append(["a", "b"])
            case "@"?: result.append("text \"\(result.count)\"")
            case "f"?, "a"?: result.append(1.5)
            default: result.append(7 + result.count)
            }
        }
        return result
    }

    @Test("All can be parsed, printed and parsed again, except the invalid ones")
    func roundTrip() throws {
        var counts = (valid: 0, refused: 0, printed: 0)
        for entry in try Material.list("predicates.json") where entry["dialect"] as? String == "nspredicate" {
            let format = try #require(entry["format"] as? String)
            let isExpression = entry["kind"] as? String == "expression"
            let arguments = Self.arguments(for: format)
            if let reason = Self.invalid[format] {
                counts.refused += 1
                #expect(throws: PredicateFormatError.self, "\(format): \(reason)") {
                    try Self.parse(format, arguments, isExpression)
                }
                continue
            }
            do {
                let (text, isEqual) = try Self.again(format, arguments, isExpression)
                counts.valid += 1
                #expect(isEqual, "\(format) printed as \(text)")
                if let wanted = entry["printed"] as? String {
                    counts.printed += 1
                    expectEqual(text, wanted, "\(format)")
                }
            } catch {
                Issue.record("\(format): \(error)")
            }
        }
        print("Formats: \(counts.valid) round trips, \(counts.refused) refused with a reason")
        expectEqual(counts.valid + counts.refused, Material.least(940, fixtures: 192))
        expectEqual(counts.printed, 192)
    }

    // Without arguments, as a checker of source code parses them.
    @Test("The same holds without arguments")
    func withoutArguments() throws {
        var count = 0
        for entry in try Material.list("predicates.json")
        where entry["dialect"] as? String == "nspredicate" && entry["kind"] as? String != "expression" {
            let format = try #require(entry["format"] as? String)
            guard Self.invalid[format] == nil else { continue }
            do {
                let first = try PredicateParser.parse(format: format, arguments: nil)
                let text = PredicatePrinter.print(first)
                count += 1
                try expectEqual(
                    PredicateParser.parse(format: text, arguments: nil),
                    first,
                    "\(format) printed as \(text)"
                )
                expectEqual(text.contains("%"), format.contains("%"), "\(format) printed as \(text)")
            } catch {
                Issue.record("\(format): \(error)")
            }
        }
        #expect(count >= Material.least(915, fixtures: 177))
    }

    private static func parse(_ format: String, _ arguments: [Any?], _ isExpression: Bool) throws {
        if isExpression {
            _ = try PredicateParser.parseExpression(format: format, arguments: arguments)
        } else {
            _ = try PredicateParser.parse(format: format, arguments: arguments)
        }
    }

    private static func again(
        _ format: String,
        _ arguments: [Any?],
        _ isExpression: Bool
    ) throws -> (text: String, isEqual: Bool) {
        if isExpression {
            let first = try PredicateParser.parseExpression(format: format, arguments: arguments)
            let text = PredicatePrinter.print(first)
            return (text, try PredicateParser.parseExpression(format: text, arguments: []) == first)
        }
        let first = try PredicateParser.parse(format: format, arguments: arguments)
        let text = PredicatePrinter.print(first)
        return (text, try PredicateParser.parse(format: text, arguments: []) == first)
    }
}
