// MD5 (RFC 1321). Used for the discriminators of private declarations only, never for security.
import Foundation

/// A digest of 16 bytes.
package struct MD5 {
    private var message: [UInt8] = []

    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
    private static let constants: [UInt32] = (0..<64).map { UInt32(abs(sin(Double($0 + 1))) * 4_294_967_296) }

    package init() {}

    /// Adds bytes to the message.
    package mutating func update(_ bytes: [UInt8]) {
        message.append(contentsOf: bytes)
    }

    /// The 16 bytes of the digest.
    package func finish() -> [UInt8] {
        var padded = message
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        let bitCount = UInt64(message.count) * 8
        for shift in 0..<8 { padded.append(UInt8(truncatingIfNeeded: bitCount >> (8 * UInt64(shift)))) }
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for start in stride(from: 0, to: padded.count, by: 64) {
            Self.mix(padded[start..<(start + 64)], into: &state)
        }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }

    private static func mix(_ chunk: ArraySlice<UInt8>, into state: inout [UInt32]) {
        let block = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(chunk[chunk.startIndex + index * 4 + $1]) << UInt32(8 * $1) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let mixed: UInt32
            let index: Int
            switch step / 16 {
            case 0: (mixed, index) = ((b & c) | (~b & d), step)
            case 1: (mixed, index) = ((d & b) | (~d & c), (5 * step + 1) % 16)
            case 2: (mixed, index) = (b ^ c ^ d, (3 * step + 5) % 16)
            default: (mixed, index) = (c ^ (b | ~d), (7 * step) % 16)
            }
            let sum = a &+ mixed &+ constants[step] &+ block[index]
            let shift = shifts[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
    }
}
