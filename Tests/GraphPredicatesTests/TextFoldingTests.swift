// Tests text folding: the fast paths agree with the general path, and canonical equivalents fold alike.

import Foundation
import GraphPredicates
import Testing

@Suite("Text folding")
struct TextFoldingTests {
    /// Every pair of flags that requires folding.
    static let flags: [(Bool, Bool)] = [(true, false), (false, true), (true, true)]

    @Test("A letter folds alone as in a text that needs the general path", arguments: flags)
    func fastPaths(caseInsensitive: Bool, diacriticInsensitive: Bool) {
        // A letter beyond the tables forces the general path and does not combine with its neighbours.
        let guardLetter = "\u{5D0}"
        for value in (UInt32(1)..<0x600) {
            guard let scalar = Unicode.Scalar(value), scalar.properties.canonicalCombiningClass == .notReordered else {
                continue
            }
            let letter = String(scalar)
            let alone = TextFolding.fold(
                letter,
                caseInsensitive: caseInsensitive,
                diacriticInsensitive: diacriticInsensitive
            )
            let general = TextFolding.fold(
                guardLetter + letter,
                caseInsensitive: caseInsensitive,
                diacriticInsensitive: diacriticInsensitive
            )
            #expect(TextOrder.areEqual(guardLetter + alone, general), "U+\(String(value, radix: 16))")
        }
    }

    @Test("Folding twice changes nothing, and composed and decomposed texts fold alike", arguments: flags)
    func stability(caseInsensitive: Bool, diacriticInsensitive: Bool) {
        func fold(_ text: String) -> String {
            TextFolding.fold(text, caseInsensitive: caseInsensitive, diacriticInsensitive: diacriticInsensitive)
        }
        for value in stride(from: UInt32(1), to: 0x1_F000, by: 1) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a" + String(scalar) + "b"
            let folded = fold(text)
            let again = fold(folded)
            if !TextOrder.areEqual(again, folded) { Issue.record("U+\(String(value, radix: 16)) twice") }
            if !TextOrder.areEqual(fold(text.decomposedStringWithCanonicalMapping), folded) {
                Issue.record("U+\(String(value, radix: 16)) decomposed")
            }
        }
    }

    @Test(
        "Folding follows Unicode's full case folding",
        arguments: [
            ("HELLO", "hello"), ("Straße", "strasse"), ("ẞ", "ss"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("İ", "i\u{307}"),
            ("ı", "ı"),
            ("ﬁ", "fi"), ("ſ", "s"), ("\u{212A}", "k"), ("ǅ", "ǆ"), ("Ж", "ж"), ("Ⅷ", "ⅷ"), ("Ａ", "ａ"), ("µ", "μ"),
        ]
    )
    func caseFolding(text: String, wanted: String) {
        let folded = TextFolding.fold(text, caseInsensitive: true, diacriticInsensitive: false)
        #expect(TextOrder.areEqual(folded, wanted))
    }

    @Test(
        "Diacritics are the marks of the decomposition; letters without a decomposition stay",
        arguments: [
            ("Crème Brûlée", "Creme Brulee"), ("Ångström", "Angstrom"), ("Łódź øre đ", "Łodz øre đ"), ("Ő", "O"),
            ("ἀρχή", "αρχη"), ("Ёлка", "Елка"), ("が", "が"), ("가", "가"), ("a\u{301}\u{302}", "a"), ("ñ", "n"),
        ]
    )
    func diacritics(text: String, wanted: String) {
        let folded = TextFolding.fold(text, caseInsensitive: false, diacriticInsensitive: true)
        #expect(TextOrder.areEqual(folded, wanted))
    }
}
