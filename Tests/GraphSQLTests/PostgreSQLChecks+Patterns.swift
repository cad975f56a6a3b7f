// Random patterns of LIKE and MATCHES over random texts, compared with the evaluator.
import Foundation
import GraphEngine
import GraphPostgreSQL
import GraphPredicates
import GraphSQL
import TestSupport

extension PostgreSQLChecks {
    private static let letters = [
        "a", "b", "A", "s", "S", "k", "ß", "ſ", "K", "é", "e\u{301}", "É", "i", "İ", "1", "٣", " ", "\u{A0}", "\n",
        "\r\n",
        "_", "%", "-", "\\", "*", "?", ".", "👩‍👩‍👧", "\u{1F1E6}\u{1F1E7}", "각", "\u{1100}\u{1161}", "\u{915}\u{94D}\u{915}",
        "\u{301}", "中", "f",
        "t", "\u{2028}", "\u{200D}",
    ]

    private static func text(_ random: inout SeededNumbers, _ most: Int) -> String {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in random.pick(letters) }.joined()
    }

    /// A regular expression, valid or not, of common parts.
    private static func expression(_ random: inout SeededNumbers, depth: Int) -> String {
        let parts = (0..<random.pick([1, 1, 2, 3])).map { _ -> String in
            let atom =
                switch Int.random(in: 0..<10, using: &random) {
                case 0 where depth > 0, 1 where depth > 0:
                    random.pick(["(", "(?:"]) + expression(&random, depth: depth - 1) + "|"
                        + expression(&random, depth: depth - 1) + ")"
                case 2: random.pick([".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\.", "\\n", "\\*"])
                case 3:
                    random.pick(["[a-k]", "[^ab]", "[\\w-]", "[\\d\\s]", "[é-ü]", "[A-Z]", "[^\\w]", "[ſK]", "[\\]a]"])
                case 4: random.pick(["^", "$", "]", "{", "\\b", "(?=a)", "(a)\\1", "\\p{L}"])
                default: random.pick(letters)
                }
            let quantifiers = ["", "", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "*?", "+?", "*+"]
            return atom + random.pick(quantifiers)
        }
        return parts.joined()
    }

    /// Compares patterns; returns the number of those with a form in SQL, and the disagreements.
    func patterns(_ count: Int, seed: UInt64) throws -> (converted: Int, disagreements: [String]) {
        var random = SeededNumbers(seed: seed)
        var disagreements: [String] = []
        var converted = 0
        let dialect = PostgreSQLDialect(schema: SampleDatabase.schemaName)
        for _ in 0..<count {
            let comparison: TextComparison = random.chance(50) ? .like : .matches
            let isLike = comparison == .like
            let pattern = isLike ? Self.text(&random, 4) : Self.expression(&random, depth: 2)
            let options: ComparisonOptions = isLike ? [] : random.pick([[], .caseInsensitive])
            let texts = (0..<30).map { _ in Self.text(&random, 3) }
            guard let matcher = try? TextMatcher(isLike ? .like : .matches, pattern, options),
                let bound = dialect.pattern(pattern, of: comparison, options)
            else { continue }
            converted += 1
            let call = isLike ? "\(SampleDatabase.schemaName).mg_like(x, $2)" : "x COLLATE \"C\" ~ $2"
            let statement = SQLStatement(
                "SELECT \(call) FROM unnest($1) WITH ORDINALITY AS t(x, n) ORDER BY n",
                [.typed(.list(texts.map { .text($0) }, .text)), bound]
            )
            do {
                let result = try connection.execute(statement)
                for (row, text) in texts.enumerated() where try result.boolean(0, row) != matcher.answer(text) {
                    disagreements.append(
                        "\(text.debugDescription) \(comparison) \(pattern.debugDescription) \(options)"
                    )
                }
            } catch {
                disagreements.append("\(pattern.debugDescription): \(error)")
            }
            if disagreements.count > 10 { break }
        }
        return (converted, disagreements)
    }
}
