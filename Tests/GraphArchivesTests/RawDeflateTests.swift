// Tests deflate in both directions, against the output of another implementation, and with damaged input.
import ExpectationSupport
import Foundation
import GraphArchives
import Testing

struct RawDeflateTests {
    /// Texts of all kinds: empty, short, repetitive, without repetitions, longer than the window.
    private static let samples: [[UInt8]] = {
        var state: UInt64 = 42
        func random() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        return [
            [], [0], Array("abc".utf8), [UInt8](repeating: 7, count: 100_000),
            (0..<70_000).map { _ in random() }, (0..<70_000).map { _ in random() & 3 },
            (0..<40_000).map { UInt8(truncatingIfNeeded: $0 / 300) },
            Array(String(repeating: "NSPropertyDescription NSEntityDescription ", count: 2_000).utf8),
        ]
    }()

    @Test(arguments: samples.indices)
    func compressedDataAreRestored(index: Int) throws {
        let data = Data(Self.samples[index])
        try expectEqual(RawDeflate.inflate(RawDeflate.deflate(data), limit: data.count), data)
    }

    @Test func repetitionsGetShort() {
        #expect(RawDeflate.deflate(Data(repeating: 7, count: 100_000)).count < 1_000)
    }

    /// Written by zlib, stored and with fixed codes.
    @Test(arguments: [
        "011700e8ff68656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f", "cb48cdc9c957c8402701",
    ])
    func anotherWritersDataAreRead(hex: String) throws {
        let text = try RawDeflate.inflate(Self.bytes(hex), limit: 100)
        expectEqual(String(decoding: text, as: UTF8.self), "hello hello hello hello")
    }

    @Test func codesOfTheirOwnAreRead() throws {
        let text = try RawDeflate.inflate(Self.bytes(Self.dynamic), limit: 10_000)
        var state = 1
        let numbers = (0..<1_000).map { _ in
            state = (state * 75 + 74) % 65_537
            return UInt8(state / 7 % 5)
        }
        expectEqual(Array(text), numbers)
    }

    @Test func moreThanTheLimitIsAnError() throws {
        let data = RawDeflate.deflate(Data(repeating: 1, count: 1_000))
        #expect(throws: RawDeflate.Damaged.self) { () throws in try RawDeflate.inflate(data, limit: 999) }
    }

    @Test func everyTruncationIsAnError() throws {
        let data = RawDeflate.deflate(Data(Self.samples[6].prefix(3_000)))
        for count in 0..<data.count {
            #expect(throws: RawDeflate.Damaged.self) { () throws in
                try RawDeflate.inflate(data.prefix(count), limit: 5_000)
            }
        }
    }

    @Test func flippedBitsNeverDoMoreThanFail() throws {
        let data = RawDeflate.deflate(Data(Self.samples[7].prefix(2_000)))
        var failures = 0
        for bit in 0..<data.count * 8 {
            var damaged = data
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            do {
                #expect(try RawDeflate.inflate(damaged, limit: 5_000).count <= 5_000)
            } catch {
                failures += 1
            }
        }
        #expect(failures > 0)
    }

    private static func bytes(_ hex: String) -> Data {
        let digits = Array(hex.utf8)
        return Data(
            stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
        )
    }

    /// The numbers above as written by zlib with dynamic codes.
    private static let dynamic =
        "35930b02c2300843f9ddffccbe974ea76e6d818490f5f455d5edf574f5dc76d7ee54d74d2f57f1e5a0769620026beaaaf3dd"
        + "1a82aef3c80ecf6cf5ddcdb26a0b1342a9a26813c8337f405ebbe18d6ca2da02f392cdb30468c4ba7c8895a87dab830ea465"
        + "bc23c03d6e5513feec1687049c5b25962da43687523deb8143776bd2d04e5196ee2d9c0b7a3633d23e5be132d8c213961c92"
        + "0676c2612009782a65da8e5004adea520f1e2c5e553812269fc95d5d08e6270ea44b0aa28da3ea107428507030a68d989d9a"
        + "25866d027a560454d5ca9cb2551e42d2cd71f0ca1471d96b3b77ed1c24e329102cc1b3a68b92c4445595b76e46aa0346b54a"
        + "69ccd104ab0122f33a2e2b11ecd13d1de216b8ae6c951fc926c14ec9a128efbce69dda397d85943f7de4ca4c9e655a6f19f7"
        + "3c2972a9862472ec80f9b8afffec4903e9e6986683b5df68c24ac8c93c9dae6867f313ef5d667515dfc5828edc697237f9d1"
        + "b114ce6ddddb6f745b7f8126aed73612f54dd28f9df88dc5286d7f13f77fc209146fe42d8bfce1659ae881a0e40f"
}
