import Foundation
import TableScreens
import Testing

@Suite("Pictures")
struct PictureTests {
    private static func bytes(_ parts: Any...) -> Data {
        Data(
            parts.flatMap { part -> [UInt8] in
                switch part {
                case let text as String: Array(text.utf8)
                case let list as [Int]: list.map { UInt8($0) }
                default: []
                }
            }
        )
    }

    static let png = bytes(
        [0x89],
        "PNG\r\n",
        [0x1A, 10, 0, 0, 0, 13],
        "IHDR",
        [0, 0, 1, 0x40, 0, 0, 0, 0xF0, 8, 2, 0, 0, 0, 1, 2, 3, 4]
    )
    static let gif = bytes("GIF89a", [0x40, 1, 0xF0, 0, 0, 0, 0])
    static let jpeg = bytes(
        [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC4, 0, 3, 0, 0xFF, 0xC2, 0, 11, 8, 0, 0xF0, 1, 0x40, 1, 1,
            0x11,
        ]
    )
    static let webP = [
        bytes("RIFF", [9, 0, 0, 0], "WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0, 0x3F, 1, 0, 0xEF, 0, 0]),
        bytes("RIFF", [9, 0, 0, 0], "WEBPVP8L", [10, 0, 0, 0, 0x2F, 0x3F, 0xC1, 0x3B, 0, 0, 0, 0, 0, 0]),
        bytes("RIFF", [9, 0, 0, 0], "WEBPVP8 ", [10, 0, 0, 0, 0, 0, 0, 0x9D, 1, 0x2A, 0x40, 1, 0xF0, 0]),
    ]

    @Test("The format and size are read from the bytes", arguments: [png, gif, jpeg] + webP)
    func sizes(data: Data) throws {
        let picture = try Picture(data)
        #expect((picture.width, picture.height) == (320, 240))
        // A slice whose indices do not start at 0 must give the same result.
        #expect(try Picture((Data([1, 2, 3]) + data).dropFirst(3)) == picture)
    }

    @Test("A picture cut off in its header is refused as damaged", arguments: [png, gif, jpeg] + webP)
    func truncated(data: Data) {
        for count in 1..<(data.count - 4) {
            #expect(throws: ScreenError.self, "\(count) bytes") { try Picture(data.prefix(count)) }
        }
    }

    @Test(
        "Files that are not pictures are refused, and so are pictures that may contain scripts",
        arguments: [
            "", "hello", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "BM123456789012345",
            "%PDF-1.7", "<html><script>alert(1)</script>", "RIFF1234WAVEfmt ", "PNG", "\u{FEFF}GIF89a1234567890",
        ]
    )
    func others(text: String) {
        #expect(throws: ScreenError.self) { try Picture(Data(text.utf8)) }
    }

    @Test("A picture that would unfold to too many pixels, or to none, is refused")
    func pixels() throws {
        var data = Self.png
        data.replaceSubrange(16..<24, with: [0, 1, 0, 0, 0, 1, 0, 0])
        #expect(
            throws: ScreenError.badInput("The picture is too large: it has 65536 by 65536 pixels. Make it smaller.")
        ) {
            try Picture(data)
        }
        data.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ScreenError.self) { try Picture(data) }
        data.replaceSubrange(16..<24, with: [0, 0, 0, 0, 0, 0, 0, 9])
        #expect(throws: ScreenError.self) { try Picture(data) }
    }

    @Test("Every byte of a header may be anything")
    func mutations() {
        for data in [Self.png, Self.gif, Self.jpeg] + Self.webP {
            for place in data.indices {
                for value in [0, 1, 0x7F, 0x80, 0xC0, 0xD8, 0xFF] as [UInt8] {
                    var changed = data
                    changed[place] = value
                    let picture = try? Picture(changed)
                    #expect(picture.map { $0.width > 0 && $0.height > 0 } ?? true)
                }
            }
        }
    }
}
