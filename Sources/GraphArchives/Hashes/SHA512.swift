// SHA-512 (FIPS 180-4), for the digest of a model's version hashes. Called by Model+VersionHashes. Not for secrets: not
// constant-time.

/// The SHA-512 digest of a sequence of bytes.
package enum SHA512 {
    /// The 64 bytes of the digest.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        SHA2.digest(message, initial: initial, rounds: rounds, compress: compress)
    }

    /// Adds one block of 16 words to a hash of eight.
    private static func compress(
        _ state: UnsafeMutablePointer<UInt64>,
        _ block: UnsafeRawPointer,
        _ schedule: UnsafeMutablePointer<UInt64>,
        _ rounds: UnsafePointer<UInt64>
    ) {
        var index = 0
        while index < 16 {
            schedule[index] = UInt64(bigEndian: block.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self))
            index &+= 1
        }
        while index < 80 {
            let (x, y) = (schedule[index &- 15], schedule[index &- 2])
            let small0 = (x &>> 1 | x &<< 63) ^ (x &>> 8 | x &<< 56) ^ (x &>> 7)
            let small1 = (y &>> 19 | y &<< 45) ^ (y &>> 61 | y &<< 3) ^ (y &>> 6)
            schedule[index] = schedule[index &- 16] &+ small0 &+ schedule[index &- 7] &+ small1
            index &+= 1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        index = 0
        while index < 80 {
            let big1 = (e &>> 14 | e &<< 50) ^ (e &>> 18 | e &<< 46) ^ (e &>> 41 | e &<< 23)
            let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ rounds[index] &+ schedule[index]
            let big0 = (a &>> 28 | a &<< 36) ^ (a &>> 34 | a &<< 30) ^ (a &>> 39 | a &<< 25)
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

    private static let rounds = SHAConstants.rounds
    /// The hash before the first block.
    private static let initial: [UInt64] = [
        0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
        0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
    ]
}
