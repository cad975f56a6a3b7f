// Tests how XML stores escape text.
import ExpectationSupport
import Foundation
import Testing

@testable import GraphArchives

@Suite("Texts of XML stores")
struct XMLTextTests {
    @Test("Characters that XML does not allow are escaped with their low byte first, and read back")
    func controls() {
        for scalar in ["\u{1}", "\u{8}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"] {
            let escaped = XMLText.escaped(scalar)
            #expect(escaped.hasPrefix("\\u"))
            expectEqual(escaped.count, 6)
            expectEqual(XMLText.unescaped(escaped), scalar)
        }
        expectEqual(XMLText.escaped("\u{1}"), "\\u0100")
    }

    @Test("Marks after escaped characters stay marks", arguments: ["\u{1}\u{301}", "\\\u{301}", "a\u{1}\u{20DD}b\\"])
    func marks(text: String) {
        let escaped = XMLText.escaped(text)
        expectEqual(Array(XMLText.unescaped(escaped).unicodeScalars), Array(text.unicodeScalars))
        expectEqual(XMLText.quoted("\"\u{301}"), "\"&quot;\u{301}\"")
    }

    @Test("Characters that XML reserves are read from Apple's escapes, with their low byte first")
    func reserved() {
        expectEqual(XMLText.unescaped("a \\u2600\\u2600 b \\u3e00 \\u3c00 \\u2200 \\u2700"), "a && b > < \" '")
    }

    @Test(
        "Other escapes name their character as it is",
        arguments: [
            ("\\u4e00", "一"), ("\\u4100", "\u{4100}"), ("\\u00e9", "é"), ("\\\\u0041", "\\u0041"), ("\\u+041", "u+041"),
        ]
    )
    func others(text: String, expected: String) {
        expectEqual(XMLText.unescaped(text), expected)
    }
}
