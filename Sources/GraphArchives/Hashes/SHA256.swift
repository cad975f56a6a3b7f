// SHA-256 (FIPS 180-4). Called for version hashes, and to compare large values. Not for secrets: not constant-time.

/// The SHA-256 digest of a sequence of bytes.
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        SHA2.digest(message, initial: initial, rounds: rounds, compress: compress)
    }

    /// Adds one block of 16 words to a hash of eight.
    private static func compress(
        _ state: UnsafeMutablePointer<UInt32>,
        _ block: UnsafeRawPointer,
        _ schedule: UnsafeMutablePointer<UInt32>,
        _ rounds: UnsafePointer<UInt32>
    ) {
        var index = 0
        while index < 16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
            index &+= 1
        }
        while index < 64 {
            let (x, y) = (schedule[index &- 15], schedule[index &- 2])
            let small0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ (x &>> 3)
            let small1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ (y &>> 10)
            schedule[index] = schedule[index &- 16] &+ small0 &+ schedule[index &- 7] &+ small1
            index &+= 1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        index = 0
        while index < 64 {
            let big1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ rounds[index] &+ schedule[index]
            let big0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
            index &+= 1
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private static let rounds: [UInt32] = SHAConstants.rounds.prefix(64).map { UInt32($0 >> 32) }
    /// The hash before the first block.
    private static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
}
