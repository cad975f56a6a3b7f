// Tests of FormDecoder.swift: the pairs of queries and forms, and the cost of large fields.
import Foundation
import Testing

@testable import TableScreens

@Suite("Decoding of forms")
struct FormDecoderTests {
    private func fields(_ text: String) -> [String] {
        Address.fields(text).map { "\($0.0)=\($0.1)" }
    }

    @Test("Pairs, escapes and spaces")
    func pairs() {
        #expect(fields("a=1&b=2") == ["a=1", "b=2"])
        #expect(fields("a=x+y%20z&b=%C3%A4&&=c&d&e=1=2") == ["a=x y z", "b=ä", "=c", "d=", "e=1=2"])
        #expect(fields("a%3Db=%26%3d%2B") == ["a=b=&=+"])
        #expect(fields("") == [])
    }

    @Test("Damaged escapes stay, and damaged text is replaced")
    func damage() {
        #expect(fields("a=%&b=%4&c=%zz1&d=100%25&e=%2") == ["a=%", "b=%4", "c=%zz1", "d=100%", "e=%2"])
        #expect(fields("a=%FFx") == ["a=\u{FFFD}x"])
        #expect(Address(target: "/a%20b/c+d?x=1+2").path == ["a b", "c+d"])
    }

    @Test("A large plain field is copied at once, and one with escapes in the pieces between them")
    func cost() {
        var decoder = FormDecoder()
        let plain = [UInt8](repeating: 120, count: 3_000_000)
        let result = plain.withUnsafeBytes { decoder.fields($0) }
        #expect(result.map(\.0.utf8.count) == [3_000_000])
        #expect(decoder.pieces == 2)
        var other = FormDecoder()
        let escaped = Array(String(repeating: "word+%C3%A4", count: 1_000).utf8)
        let text = escaped.withUnsafeBytes { other.text($0, plusIsSpace: true) }
        #expect(text == String(repeating: "word ä", count: 1_000))
        #expect(other.pieces == 1_000)
    }
}
