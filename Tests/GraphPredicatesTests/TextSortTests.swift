// Tests that bytewise text comparison gives the reference orders: Foundation's, and that of folded texts.
import ExpectationSupport
import Foundation
import GraphPredicates
import Testing

@Suite("Orders of texts") struct TextSortTests {
    /// Letters whose texts often differ only in case, accents and digits.
    private static let alphabets: [[String]] = [
        (32..<127).map { String(UnicodeScalar(UInt8($0))) }, ["a", "A", "b", "B", "0", "1", " ", "-"],
        ["a", "A", ".", "-", "'", "1", " ", "\t", "\n", "\r", "\r\n"], ["0", "1", "2"], ["a", "b", "0", "1", "9"],
        ["a", "e", "é", "è", "E", "É", "1", "0", "-", "b"], ["n", "ñ", "Ñ", "o", "ö", "Ö", "u", "ü", "ß", "s", " "],
        (0xC0..<0x250).compactMap { UnicodeScalar(UInt32($0)) }.map { String($0) } + ["a", "e", "i", "o", "u"],
        ["e", "E", "é", "\u{301}", "\u{300}", "\u{327}", "f", " "], ["\0", "\u{1}", "\u{7F}", "\u{AD}", "a", "A", "é"],
        ["İ", "ı", "i", "I", "ſ", "s", "S", "ß", "ﬁ", "K", "k", "ŉ", "n"],
        ["Σ", "σ", "ς", "Ж", "ж", "日", "👍🏽", "が", "か", "\u{3099}"],
    ]

    /// A random text and a similar one.
    private static func pair(
        _ round: Int,
        _ random: inout SystemRandomNumberGenerator,
        longest: Int
    ) -> (String, String) {
        let alphabet = alphabets[round % alphabets.count]
        let longest = round % 7 == 0 ? longest : 9
        func text() -> [String] {
            (0..<Int.random(in: 0...longest, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
        }
        let prefix = text()
        let one = prefix + text()
        var other = prefix + text()
        if round % 3 == 0 { other = one.map { Bool.random(using: &random) ? $0.lowercased() : $0 } }
        if round % 3 == 1 {
            other = one
            for _ in 0..<2 where !other.isEmpty {
                other[Int.random(in: 0..<other.count, using: &random)] = alphabet.randomElement(using: &random) ?? ""
            }
        }
        return (one.joined(), other.joined())
    }

    @Test("Random texts in every order")
    func random() {
        var random = SystemRandomNumberGenerator()
        for round in 0..<30_000 {
            // Foundation's results vary for longer texts that differ only in case.
            let (one, other) = Self.pair(round, &random, longest: 25)
            for order in TextSort.allCases {
                let actual = TextSort.compare(one, other, order)
                guard actual != TextSort.compareInGeneral(one, other, order) else { continue }
                Issue.record("\(order) \(actual): \(one.debugDescription) \(other.debugDescription)")
            }
        }
    }

    @Test("Random texts in languages that use the common sort order")
    func languages() throws {
        var random = SystemRandomNumberGenerator()
        for name in ["en_US", "de_DE", "fr_FR", "es_ES", "it_IT", "pt_BR"] {
            let locale = Locale(identifier: name)
            let order = try #require(LocalizedOrder(locale: name))
            for round in 0..<3_000 {
                var (one, other) = Self.pair(round, &random, longest: 80)
                let kinds: [(TextSort, String.CompareOptions)] = [
                    (.localized, []), (.localizedCaseInsensitive, .caseInsensitive),
                    (.localizedStandard, [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering]),
                ]
                for (kind, options) in kinds {
                    let expected = one.compare(other, options: options, range: nil, locale: locale)
                    let actual = one.withUTF8 { one in other.withUTF8 { order.compare(one, $0, kind) } }
                    guard let actual, actual != expected else { continue }
                    Issue.record("\(name) \(kind) \(actual): \(one.debugDescription) \(other.debugDescription)")
                }
            }
        }
    }

    @Test("Languages with additional letters are left to Foundation")
    func otherLanguages() {
        let names = [
            "da_DK", "nl_NL", "et_EE", "cy_GB", "hu_HU", "lt_LT", "tr_TR", "fr_CA", "en_US_POSIX", "es@collation=x",
        ]
        for name in names {
            expectNil(LocalizedOrder(locale: name), "\(name)")
        }
    }

    @Test("Names with accents are compared by their bytes")
    func names() throws {
        let order = try #require(LocalizedOrder(locale: "en_US"))
        let names = ["Ada Béla 7", "ada bela 7", "Ådne Zoë 10", "Jörg", "Jorg", "", "item 9", "Item 10", "Šárka"]
        for one in names {
            for other in names {
                var (first, second) = (one, other)
                let isCompared = first.withUTF8 { one in
                    second.withUTF8 { order.compare(one, $0, .localizedStandard) != nil }
                }
                #expect(isCompared, "\(one), \(other)")
            }
        }
    }
}
