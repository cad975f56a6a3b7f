// A prepared pattern answers as the evaluator's own comparisons do, on every text.
import Foundation
import GraphPredicates
import Testing

@Suite("Prepared text comparisons") struct TextMatcherTests {
    private static let pieces = [
        "a", "A", "b", "Z", "z", "[", "@", "`", "é", "e\u{301}", "É", "ß", "ss", "ſ", "i", "I", "İ", "ı", "\u{130}",
        "ﬁ", "\0",
        "\r\n", "\r", "\n", " ", "*", "?", "\\", "σ", "ς", "K", "👍🏽", "日", "が", "か\u{3099}", "1",
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
            // Every other text has the pattern in it.
            let parts = [Self.text(&random, 3), round % 8 < 4 ? pattern : "", Self.text(&random, 2)]
            let text = parts.joined()
            let (whole, part) = (TextFolding.fold(text, options), TextFolding.fold(pattern, options))
            let expected: [(TextMatcher.Kind, Bool)] = [
                (.contains, TextOrder.contains(whole, part)), (.beginsWith, TextOrder.hasPrefix(whole, part)),
                (.endsWith, TextOrder.hasSuffix(whole, part)), (.equals, TextOrder.areEqual(whole, part)),
                (.like, WildcardPattern(pattern, options: options).matches(text)),
            ]
            for (kind, answer) in expected {
                let found = try TextMatcher(kind, pattern, options).holds(text)
                #expect(found == answer, "\(kind) \(text.debugDescription) \(pattern.debugDescription) \(options)")
            }
        }
    }
}
