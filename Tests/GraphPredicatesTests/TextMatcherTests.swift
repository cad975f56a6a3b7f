// Tests that a prepared pattern gives the same results as the evaluator's own comparisons, for every text.
import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Prepared text comparisons") struct TextMatcherTests {
    private static let pieces = [
        "a", "A", "b", "Z", "z", "[", "@", "`", "é", "e\u{301}", "É", "ß", "ss", "ſ", "i", "I", "İ", "ı", "\u{130}",
        "ﬁ", "\0",
        "\r\n", "\r", "\n", "ö", "Ö", "ñ", "ŉ", "ǰ", "Σ", "Ж", "ж", "ά", "\u{34F}", "\u{85}", "\u{2028}",
        " ", "*", "?", "\\", "σ", "ς", "K", "👍🏽", "日", "が", "か\u{3099}", "1",
    ]

    private static func text(_ random: inout some RandomNumberGenerator, _ longest: Int) -> String {
        (0..<Int.random(in: 0...longest, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    @Test("Random texts and patterns, with and without folding")
    func random() throws {
        var random = SystemRandomNumberGenerator()
        for round in 0..<20_000 {
            let options: ComparisonOptions = [
                [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ][round % 4]
            let pattern = Self.text(&random, 3)
            // Half of the texts contain the pattern.
            let parts = [Self.text(&random, 3), round % 8 < 4 ? pattern : "", Self.text(&random, 2)]
            let text = parts.joined()
            let (whole, part) = (TextFolding.fold(text, options), TextFolding.fold(pattern, options))
            let expected: [(TextMatcher.Kind, Bool)] = [
                (.contains, TextOrder.contains(whole, part)), (.beginsWith, TextOrder.hasPrefix(whole, part)),
                (.endsWith, TextOrder.hasSuffix(whole, part)), (.equals, TextOrder.areEqual(whole, part)),
                (.like, WildcardPattern(pattern, options: options).matches(text)),
            ]
            for (kind, answer) in expected {
                let actual = try TextMatcher(kind, pattern, options).holds(text)
                expectEqual(actual, answer, "\(kind) \(text.debugDescription) \(pattern.debugDescription) \(options)")
            }
        }
    }

    @Test("Random regular expressions")
    func expressions() throws {
        let parts = [
            "a", "b", "A", "s", "k", ".", ".*", "a+", "b?", "[ab]", "[^a]", "[^a-z]", "[a-z]*", "[A-Z]", "(a|b)",
            "(a|b)*",
            "(ab){2}", "a{1,3}", "b{2,}", "\\d", "\\w+", "\\s", "\\S", "\\.", "\\*", "|", "^a", "b$", "(?:ab|a)", ".*?",
            "é", "[sk]", "ss", "\\W", "[^\\d]", "[-a]", "[a-]", "i",
        ]
        let pieces = Self.pieces + ["a", "b", "ab", "a", "b", "s", "k", "\u{212A}", "ſ", "a", "1", "_", ".", "-"]
        var random = SystemRandomNumberGenerator()
        for round in 0..<6_000 {
            let options: ComparisonOptions = [
                [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
            ][round % 4]
            let pattern = (0..<Int.random(in: 0...4, using: &random))
                .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            guard let expression = try? RegularExpressions.compiled(pattern, options: options) else {
                #expect(throws: EvaluationError.self) { try TextMatcher(.matches, pattern, options) }
                continue
            }
            let matcher = try TextMatcher(.matches, pattern, options)
            for _ in 0..<8 {
                let text = (0..<Int.random(in: 0...5, using: &random))
                    .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
                guard matcher.answer(text) != expression.matches(text) else { continue }
                Issue.record(
                    "\(pattern.debugDescription) \(text.debugDescription) \(options): \(matcher.answer(text) == true)"
                )
            }
        }
    }

    @Test("Names with accents are folded without the general path, and so are patterns")
    func letters() throws {
        for (kind, pattern) in [
            (TextMatcher.Kind.contains, "ma"), (.beginsWith, "zoë"), (.equals, "zoë"), (.like, "*ma?"),
            (.matches, ".*ma.*"),
        ] {
            for options: ComparisonOptions in [.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]] {
                let matcher = try TextMatcher(kind, pattern, options)
                for name in ["Zoë Imani", "Marijo Gül", "", "Жанна", "emma"] {
                    expectEqual(matcher.answer(name), matcher.answerInGeneral(name), "\(kind) \(name)")
                }
            }
        }
    }

    @Test("A pattern that takes too long is an error, and the program goes on")
    func slowPatterns() throws {
        for (pattern, text) in [
            ("(é+)+x", String(repeating: "é", count: 40)), ("(a*)*\\1b", String(repeating: "a", count: 40)),
            ("(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)\\1x", String(repeating: "ab", count: 400)),
        ] {
            let began = ContinuousClock.now
            let matcher = try TextMatcher(.matches, pattern, [])
            #expect(throws: EvaluationError.slowPattern(pattern)) { try matcher.holds(text) }
            #expect(began.duration(to: .now) < .seconds(30))
        }
        #expect(try TextMatcher(.matches, "(é+)+x?", []).holds("éé"))
    }
}
